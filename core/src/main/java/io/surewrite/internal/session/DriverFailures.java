package io.surewrite.internal.session;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.InvalidKeyspaceException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.data.cassandra.core.cql.CassandraExceptionTranslator;

/** Reads driver failures for those who must not name the driver's exceptions. */
public final class DriverFailures {

    private static final CassandraExceptionTranslator TRANSLATOR = new CassandraExceptionTranslator();

    private DriverFailures() {}

    /** What Spring Data would throw. */
    public static RuntimeException translated(RuntimeException failure) {
        DataAccessException translated = TRANSLATOR.translateExceptionIfPossible(failure);
        return translated == null ? failure : translated;
    }

    /** Takes a failure out of what futures wrap it in. */
    public static Throwable unwrapped(Throwable failure) {
        return (failure instanceof CompletionException || failure instanceof ExecutionException)
                        && failure.getCause() != null
                ? unwrapped(failure.getCause())
                : failure;
    }

    /** Fails with what Spring Data would throw. Who cancels the answer cancels the request. */
    public static <T extends @Nullable Object> CompletionStage<T> translated(CompletionStage<T> answer) {
        CompletableFuture<T> translated = answer.exceptionallyCompose(thrown -> CompletableFuture.failedFuture(
                        unwrapped(thrown) instanceof RuntimeException failure ? translated(failure) : thrown))
                .toCompletableFuture();
        var unused = translated.whenComplete((value, failure) -> {
            if (translated.isCancelled()) {
                answer.toCompletableFuture().cancel(true);
            }
        });
        return translated;
    }

    /**
     * Waits for an answer, and throws its failure with the stack of the caller. An interrupt does not end the wait, but stays.
     */
    public static <T extends @Nullable Object> T joined(CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().join();
        } catch (CompletionException failed) {
            throw thrownHere(unwrapped(failed));
        }
    }

    /**
     * The failure of an asynchronous step for one who has waited: it shows the stack of this thread, too. Others may throw the same one.
     */
    public static RuntimeException thrownHere(Throwable failure) {
        return unchecked(CallerStack.addedTo(failure));
    }

    public static RuntimeException unchecked(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException known ? known : new IllegalStateException(failure);
    }

    /** That need not be for good: a node that cannot read {@code system_auth} refuses everything. */
    public static boolean isUnauthorized(Throwable failure) {
        return first(failure, UnauthorizedException.class, refused -> refused) != null;
    }

    /** The keyspace, in CQL, that does not exist; null if that is not what failed. */
    public static @Nullable String missingKeyspace(Throwable failure) {
        return first(
                failure,
                InvalidKeyspaceException.class,
                missing -> String.valueOf(missing.getMessage()).replace("Invalid keyspace ", ""));
    }

    /** The nodes that were tried, if none could be reached; null if something else failed. */
    public static @Nullable String unreachableNodes(Throwable failure) {
        return first(
                failure,
                AllNodesFailedException.class,
                failed -> !isOfConnections(failed)
                        ? null
                        : failed.getAllErrors().keySet().stream()
                                .map(node -> node.getEndPoint().toString())
                                .collect(Collectors.joining(", ")));
    }

    /** The data centres of the cluster, if the driver was not told its own; null if something else failed. */
    public static @Nullable String datacentersToChooseFrom(Throwable failure) {
        String known = "Current DCs in this cluster are: ";
        return first(failure, Throwable.class, cause -> {
            String message = String.valueOf(cause.getMessage());
            int at = message.indexOf(known);
            return at < 0 ? null : message.substring(at + known.length());
        });
    }

    /** What the driver says of a timeout; null if something else failed. */
    public static @Nullable String timeout(Throwable failure) {
        return first(failure, DriverTimeoutException.class, Throwable::getMessage);
    }

    /** What the first of a type, among a failure and its causes, tells. */
    public static <F extends Throwable, R> @Nullable R first(
            Throwable failure, Class<F> type, Function<F, @Nullable R> look) {
        R told = null;
        for (Throwable cause = failure; cause != null && told == null; cause = cause.getCause()) {
            told = type.isInstance(cause) ? look.apply(type.cast(cause)) : null;
        }
        return told;
    }

    /** So the driver words it when a session starts, and only then. */
    private static boolean isOfConnections(AllNodesFailedException failed) {
        return String.valueOf(failed.getMessage()).startsWith("Could not reach any contact point")
                && failed.getAllErrors().values().stream()
                        .flatMap(List::stream)
                        .noneMatch(AuthenticationException.class::isInstance);
    }
}
