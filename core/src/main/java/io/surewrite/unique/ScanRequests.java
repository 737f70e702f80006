package io.surewrite.unique;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.write.WriteFailures;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What a scan asks of the cluster beside the steps of the guard. Each request is repeated for the guard's time-out. */
final class ScanRequests {

    private final CqlSession session;
    private final GuardParts parts;
    private final String operation;
    private final long startedAt = System.nanoTime();

    ScanRequests(CqlSession session, GuardParts parts, String operation) {
        this.session = session;
        this.parts = parts;
        this.operation = operation;
    }

    CompletionStage<AsyncResultSet> send(Supplier<? extends CompletionStage<? extends Statement<?>>> statement) {
        return parts.repeat(() -> statement.get().thenCompose(session::executeAsync));
    }

    AsyncResultSet get(Supplier<? extends CompletionStage<? extends Statement<?>>> statement) {
        try {
            return send(statement).toCompletableFuture().get();
        } catch (InterruptedException interrupted) {
            throw BoundedSteps.interrupted();
        } catch (ExecutionException failed) {
            throw DriverFailures.thrownHere(
                    reported(DriverFailures.unchecked(Objects.requireNonNullElse(failed.getCause(), failed))));
        }
    }

    /** {@return the first page of a query that is sent once, or empty if that has no answer} */
    Optional<AsyncResultSet> once(Supplier<? extends CompletionStage<? extends Statement<?>>> query) {
        try {
            return Optional.of(query.get()
                    .thenCompose(session::executeAsync)
                    .toCompletableFuture()
                    .get());
        } catch (InterruptedException interrupted) {
            throw BoundedSteps.interrupted();
        } catch (ExecutionException failed) {
            return Optional.empty();
        }
    }

    /** Sends a query, and the one for the next page when the rows of the page before have been taken. */
    void forEach(Supplier<? extends CompletionStage<? extends Statement<?>>> query, Consumer<Row> rows) {
        AsyncResultSet page = get(query);
        page.currentPage().forEach(rows);
        while (page.hasMorePages()) {
            ByteBuffer next = page.getExecutionInfo().getPagingState();
            page = get(() -> query.get().thenApply(statement -> statement.setPagingState(next)));
            page.currentPage().forEach(rows);
        }
    }

    /** {@return what the caller of a scan gets} A failure that may pass becomes what the operations promise. */
    RuntimeException reported(RuntimeException failure) {
        if (failure instanceof ClaimsUnavailableException
                || !WriteFailures.ofPlain(failure).isRetryable()) {
            return DriverFailures.translated(failure);
        }
        long waited = (System.nanoTime() - startedAt) / 1_000_000;
        return new ClaimsUnavailableException(
                "%s: no clear answer after %d ms; calling it again is safe".formatted(operation, waited), failure);
    }
}
