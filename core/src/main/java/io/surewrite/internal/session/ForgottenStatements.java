package io.surewrite.internal.session;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.session.Session;
import com.datastax.oss.driver.internal.core.cql.DefaultPreparedStatement;
import com.datastax.oss.driver.internal.core.session.DefaultSession;
import com.datastax.oss.driver.internal.core.session.SessionWrapper;
import org.springframework.aop.framework.AopProxyUtils;

/**
 * Prepared statements that are right only as long as their table keeps its columns. {@code ALTER TABLE} makes every node forget
 * them, and the driver prepares them again, in silence, and sends them. One that is reported fails instead, and nothing of it was
 * applied: its sender looks at the table again first.
 */
public final class ForgottenStatements {

    private ForgottenStatements() {}

    /** To be called before every send: it ends when the text is prepared again. */
    public static void report(Session session, PreparedStatement statement) {
        if (unwrapped(session) instanceof DefaultSession driver) {
            driver.getRepreparePayloads().remove(statement.getId());
        }
    }

    public static void prepareAgain(Session session, PreparedStatement statement) {
        if (unwrapped(session) instanceof DefaultSession driver
                && statement instanceof DefaultPreparedStatement known) {
            driver.getRepreparePayloads().put(known.getId(), known.getRepreparePayload());
        }
    }

    private static Session unwrapped(Session session) {
        Session inner = session;
        while (true) {
            if (inner instanceof SessionWrapper wrapper) {
                inner = wrapper.getDelegate();
            } else if (AopProxyUtils.getSingletonTarget(inner) instanceof Session observed) {
                inner = observed;
            } else {
                return inner;
            }
        }
    }

    public static boolean isReported(Throwable failure) {
        // nothing of it was applied; the driver has no type for it
        return DriverFailures.first(
                        failure,
                        IllegalStateException.class,
                        cause -> String.valueOf(cause.getMessage()).startsWith("Tried to execute unprepared query")
                                ? cause
                                : null)
                != null;
    }
}
