package io.surewrite.unique;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.unique.WholeTable.UniqueScanSettings;
import io.surewrite.write.WriteFailures;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Goes through a table for one thread. Its requests are repeated for the guard's time-out; its steps run some at a time, and so
 * many in a second, until one fails.
 */
final class TableScan {

    private final CqlSession session;
    private final GuardParts parts;
    private final String operation;
    private final UniqueScanSettings settings;
    private final Semaphore room;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final long startedAt = System.nanoTime();
    private long begun;

    TableScan(CqlSession session, GuardParts parts, String operation, UniqueScanSettings settings) {
        this.session = session;
        this.parts = parts;
        this.operation = operation;
        this.settings = settings;
        this.room = new Semaphore(settings.inFlight());
    }

    /** Those tokens above one, up to another. */
    record Slice(long after, long upto) {}

    /** {@return those behind a token, of a power of two; all are behind {@link Long#MIN_VALUE}, which no row has} */
    static List<Slice> slicesBehind(long token, int count) {
        long width = 1L << (Long.SIZE - Integer.numberOfTrailingZeros(count));
        return LongStream.range(0, count)
                .mapToObj(number -> {
                    long start = Long.MIN_VALUE + number * width;
                    long end = start + width; // that of the last one is one too far
                    return new Slice(Math.max(start, token), end == Long.MIN_VALUE ? Long.MAX_VALUE : end);
                })
                .filter(slice -> slice.upto() > token)
                .toList();
    }

    /** {@return how much of the ring lies before a token, from 0 to 1} */
    static double share(long token) {
        return (token / 2.0 - Long.MIN_VALUE / 2.0) / Long.MAX_VALUE;
    }

    CompletionStage<AsyncResultSet> send(Supplier<? extends CompletionStage<? extends Statement<?>>> statement) {
        AtomicInteger sent = new AtomicInteger();
        return parts.repeat(() ->
                statement.get().thenCompose(page -> session.executeAsync(smaller(page, sent.getAndIncrement()))));
    }

    /** A page that had no answer may have been too large for one. */
    private static Statement<?> smaller(Statement<?> page, int failures) {
        int size = page.getPageSize();
        return size > 0 ? page.setPageSize(Math.max(1, size >> Math.min(failures, 10))) : page;
    }

    AsyncResultSet get(Supplier<? extends CompletionStage<? extends Statement<?>>> statement) {
        return DriverFailures.joined(send(statement));
    }

    /** {@return the first page of a query that is sent once, or empty if that has no answer} */
    Optional<AsyncResultSet> once(Supplier<? extends CompletionStage<? extends Statement<?>>> query) {
        try {
            return Optional.of(DriverFailures.joined(query.get().thenCompose(session::executeAsync)));
        } catch (RuntimeException noAnswer) {
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
    RuntimeException reported(RuntimeException thrown) {
        if (thrown instanceof ClaimsUnavailableException
                || !WriteFailures.ofPlain(thrown).isRetryable()) {
            return DriverFailures.translated(thrown);
        }
        long waited = (System.nanoTime() - startedAt) / 1_000_000;
        return new ClaimsUnavailableException(
                "%s: no clear answer after %d ms; calling it again is safe".formatted(operation, waited), thrown);
    }

    /** Begins a step when there is room for it, and its time has come; not after one that failed, or an interrupt. */
    void begin(Supplier<? extends CompletionStage<?>> step) {
        room.acquireUninterruptibly();
        if (settings.rowsPerSecond() > 0) {
            long due = startedAt + TimeUnit.SECONDS.toNanos(++begun) / settings.rowsPerSecond();
            while (due - System.nanoTime() > 0 && !Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
        }
        requireGoingOn();
        var unused = step.get().whenComplete((done, thrown) -> {
            if (thrown != null) {
                failure.compareAndSet(null, DriverFailures.unwrapped(thrown));
            }
            room.release();
        });
    }

    void await() {
        room.acquireUninterruptibly(settings.inFlight());
        room.release(settings.inFlight());
        requireGoingOn();
    }

    private void requireGoingOn() {
        if (Thread.currentThread().isInterrupted()) {
            throw new IllegalStateException("Interrupted while looking at unique values; it can be called again");
        }
        Throwable thrown = failure.get();
        if (thrown != null) {
            throw DriverFailures.thrownHere(thrown);
        }
    }
}
