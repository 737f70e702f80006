package io.surewrite.cql;

import com.datastax.oss.driver.api.core.InvalidKeyspaceException;
import org.jspecify.annotations.Nullable;

/** Reads driver failures for those who must not name the driver's exceptions. */
public final class DriverFailures {

    private DriverFailures() {}

    /**
     * Finds, among a failure and its causes, the driver's complaint that the session's keyspace does not exist.
     *
     * @param failure any failure
     * @return the keyspace in CQL, or null if the failure is of another kind
     */
    public static @Nullable String missingKeyspace(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            if (cause instanceof InvalidKeyspaceException && message != null) {
                return message.replace("Invalid keyspace ", "");
            }
        }
        return null;
    }
}
