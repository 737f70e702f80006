package io.surewrite.cql.session;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.InvalidKeyspaceException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.data.cassandra.core.cql.CassandraExceptionTranslator;

/** Reads driver failures for those who must not name the driver's exceptions. */
public final class DriverFailures {

    private static final CassandraExceptionTranslator TRANSLATOR = new CassandraExceptionTranslator();

    private DriverFailures() {}

    /**
     * What Spring Data would throw.
     *
     * @param failure any failure
     * @return the data access exception for a failure of the driver; any other failure as it is
     */
    public static RuntimeException translated(RuntimeException failure) {
        DataAccessException translated = TRANSLATOR.translateExceptionIfPossible(failure);
        return translated == null ? failure : translated;
    }

    /**
     * Takes a failure out of what futures wrap it in.
     *
     * @param failure any failure
     * @return the failure itself
     */
    public static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null
                ? unwrapped(failure.getCause())
                : failure;
    }

    /**
     * Whether the cluster refused a statement for want of rights. That need not be for good: a node that cannot read
     * {@code system_auth} refuses everything.
     *
     * @param failure any failure
     * @return whether it, or one of its causes, is that
     */
    public static boolean isUnauthorized(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnauthorizedException) {
                return true;
            }
        }
        return false;
    }

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

    /**
     * Finds, among a failure and its causes, the driver's complaint that it could reach no node.
     *
     * @param failure any failure
     * @return the nodes that were tried, or null if the failure is of another kind
     */
    public static @Nullable String unreachableNodes(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof AllNodesFailedException failed && isOfConnections(failed)) {
                return failed.getAllErrors().keySet().stream()
                        .map(node -> node.getEndPoint().toString())
                        .collect(Collectors.joining(", "));
            }
        }
        return null;
    }

    /**
     * Finds, among a failure and its causes, the driver's complaint that it was not told its local data center.
     *
     * @param failure any failure
     * @return the data centers of the cluster, or null if the failure is of another kind
     */
    public static @Nullable String datacentersToChooseFrom(Throwable failure) {
        String known = "Current DCs in this cluster are: ";
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            int at = message == null ? -1 : message.indexOf(known);
            if (message != null && at >= 0) {
                return message.substring(at + known.length());
            }
        }
        return null;
    }

    /**
     * Finds, among a failure and its causes, that the driver has waited in vain.
     *
     * @param failure any failure
     * @return what the driver says of it, or null if the failure is of another kind
     */
    public static @Nullable String timeout(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof DriverTimeoutException) {
                return cause.getMessage();
            }
        }
        return null;
    }

    /** So the driver words it when a session starts, and only then. */
    private static boolean isOfConnections(AllNodesFailedException failed) {
        return String.valueOf(failed.getMessage()).startsWith("Could not reach any contact point")
                && failed.getAllErrors().values().stream()
                        .flatMap(List::stream)
                        .noneMatch(AuthenticationException.class::isInstance);
    }
}
