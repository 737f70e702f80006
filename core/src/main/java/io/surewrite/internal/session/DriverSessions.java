package io.surewrite.internal.session;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;

/** Tells sessions of the driver, decorated or not, from what stands in for one, as a mock does in a test. */
public final class DriverSessions {

    private DriverSessions() {}

    /**
     * Whether anything sure can be done on a session. What stands in for one has no server, no metadata and no settings: there everything
     * is left as it would be without us.
     *
     * @param session any session
     * @return whether the driver made it
     */
    public static boolean isReal(CqlSession session) {
        return session.getContext() instanceof InternalDriverContext;
    }
}
