package io.surewrite.internal.session;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.session.Session;
import com.datastax.oss.driver.internal.core.cql.DefaultPreparedStatement;
import com.datastax.oss.driver.internal.core.session.DefaultSession;
import com.datastax.oss.driver.internal.core.session.SessionWrapper;
import org.springframework.aop.framework.AopProxyUtils;

/**
 * Prepared statements that are right only as long as their table keeps its columns.
 *
 * <p>{@code ALTER TABLE} makes every node forget the statements prepared for the table. The driver then prepares them
 * again, in silence, and sends them. A statement that is reported fails instead, and nothing of it was applied: its
 * sender looks at the table again first.
 */
public final class ForgottenStatements {

    private ForgottenStatements() {}

    /**
     * Lets a statement fail on a node that has forgotten it. To be called before every send, since it ends when the
     * text is prepared again.
     *
     * @param session the session that sends the statement; one that is neither the driver's own, nor its wrapper, nor Spring's
     *     proxy of it stays silent
     */
    public static void report(Session session, PreparedStatement statement) {
        if (unwrapped(session) instanceof DefaultSession driver) {
            driver.getRepreparePayloads().remove(statement.getId());
        }
    }

    /** Lets the driver prepare a statement again wherever it was forgotten. */
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

    /**
     * Whether a statement failed because a node has forgotten it.
     *
     * @return true if it did; then nothing of it was applied
     */
    public static boolean isReported(Throwable failure) {
        // The driver has no type for it.
        return DriverFailures.first(
                        failure,
                        IllegalStateException.class,
                        cause -> String.valueOf(cause.getMessage()).startsWith("Tried to execute unprepared query")
                                ? cause
                                : null)
                != null;
    }
}
