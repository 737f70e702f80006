package io.surewrite.unique.scan;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.surewrite.cql.WriteFailures;
import io.surewrite.cql.session.DriverFailures;
import io.surewrite.cql.session.OtherNodes;
import io.surewrite.unique.ClaimsUnavailableException;
import io.surewrite.unique.claims.GuardParts;
import io.surewrite.unique.claims.Stages;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterators;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * What a scan asks of the cluster beside the steps of the guard. Each request is repeated, on another node, for the guard's
 * time-out; a page of a query gets smaller with each repetition.
 */
final class ScanRequests {

    private final GuardParts parts;
    private final String operation;
    private final long startedAt = System.nanoTime();

    /**
     * @param operation its name, for messages
     */
    ScanRequests(GuardParts parts, String operation) {
        this.parts = parts;
        this.operation = operation;
    }

    /**
     * How a request is sent.
     *
     * @param node where, or null for any node
     * @param shrinking by how much its pages are smaller than asked for, as a power of two
     */
    private record Way(@Nullable Node node, int shrinking) {

        private static final Way ANY = new Way(null, 0);

        Way elsewhere(Throwable failure, CqlSession session) {
            return new Way(OtherNodes.than(failure, session), Math.min(shrinking + 1, 10));
        }

        Statement<?> applyTo(Statement<?> statement) {
            Statement<?> sent = statement.setNode(node);
            return sent.getPageSize() > 0 ? sent.setPageSize(Math.max(1, sent.getPageSize() >> shrinking)) : sent;
        }
    }

    /** Sends a statement that may be sent again. */
    CompletionStage<AsyncResultSet> send(
            CqlSession session, Supplier<? extends CompletionStage<? extends Statement<?>>> statement) {
        return parts.repeat(
                Way.ANY,
                (way, failure) -> way.elsewhere(failure, session),
                way -> statement.get().thenCompose(prepared -> session.executeAsync(way.applyTo(prepared))));
    }

    /** As {@link #send}, and waits for the answer. */
    AsyncResultSet get(CqlSession session, Supplier<? extends CompletionStage<? extends Statement<?>>> statement) {
        try {
            return send(session, statement).toCompletableFuture().get();
        } catch (InterruptedException interrupted) {
            throw BoundedSteps.interrupted();
        } catch (ExecutionException failed) {
            Throwable failure = Stages.unwrap(failed);
            if (failure instanceof Error error) {
                throw error;
            }
            throw reported(failure instanceof RuntimeException known ? known : new IllegalStateException(failure));
        }
    }

    /** Sends a query, and waits for each of its pages when its rows are wanted. */
    Stream<Row> pages(CqlSession session, Supplier<? extends CompletionStage<? extends Statement<?>>> query) {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(new Pages(session, query), 0), false);
    }

    private final class Pages implements Iterator<Row> {

        private final CqlSession session;
        private final Supplier<? extends CompletionStage<? extends Statement<?>>> query;
        private Iterator<Row> rows = Collections.emptyIterator();
        private boolean begun;
        private @Nullable ByteBuffer next;

        private Pages(CqlSession session, Supplier<? extends CompletionStage<? extends Statement<?>>> query) {
            this.session = session;
            this.query = query;
        }

        @Override
        public boolean hasNext() {
            while (!rows.hasNext() && (!begun || next != null)) {
                ByteBuffer from = next;
                AsyncResultSet page =
                        get(session, () -> query.get().thenApply(statement -> statement.setPagingState(from)));
                begun = true;
                next = page.hasMorePages() ? page.getExecutionInfo().getPagingState() : null;
                rows = page.currentPage().iterator();
            }
            return rows.hasNext();
        }

        @Override
        public Row next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return rows.next();
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
