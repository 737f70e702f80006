package io.surewrite.cql;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Prepared statements for writes that are to be kept while the cluster is away. The driver remembers what it prepared by
 * weak references only: after a collection of garbage it would ask the cluster again.
 */
final class Recalled {

    private Recalled() {}

    /**
     * What to use instead of a statement that could not be prepared.
     *
     * @param scope the logical write that wants it, if any
     * @param cql its text
     * @param session the context of the session that could not prepare it
     * @param failure why it was not prepared
     * @return the statement as it was prepared before; null if there is none, or if the statement is wrong by now
     */
    static @Nullable PreparedStatement insteadOf(
            @Nullable WriteScope scope, String cql, DriverContext session, Throwable failure) {
        SentWrites sent = scope == null ? null : scope.sent();
        if (sent == null) {
            return null;
        }
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return WriteFailures.ofPlain(cause) == FailureKind.WRONG_STATEMENT ? null : sent.recall(cql, session);
    }
}
