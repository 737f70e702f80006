package io.surewrite.internal.session;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.session.SessionWrapper;

/** A session that changes some requests on their way to another one. All the driver's methods send through one. */
public abstract class SessionDecorator extends SessionWrapper implements CqlSession {

    protected SessionDecorator(CqlSession session) {
        super(session);
    }

    /** The session behind one in the scope, for statements of a protocol of its own. */
    public static CqlSession unwrap(CqlSession session) {
        return session instanceof SessionDecorator one && one.isScoped() ? (CqlSession) one.getDelegate() : session;
    }

    /**
     * What stands in for a session, as a mock does, has no metadata and no settings: there all is left as it would be without us.
     */
    public static boolean isReal(CqlSession session) {
        return session.getContext() instanceof InternalDriverContext;
    }

    boolean isScoped() {
        return false;
    }
}
