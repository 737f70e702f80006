package io.surewrite.lease.tenure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.settle.ConditionalProfile;
import io.surewrite.lease.LeaseException;
import io.surewrite.lease.LeaseListener;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.lease.LeaseUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Removes the rows of names that no process has held for long.
 *
 * <p>The tokens of such a name must go on from where they were, should it be used again. So the floor, one for all names,
 * is raised to the epochs of the rows before they are removed; a process that makes a row anew compares its tokens with the floor
 * after it has made the row. See ADR 110.
 *
 * <p>Several may run at the same time. Each may stop anywhere.
 */
public final class LeaseSweep {

    /** So many rows are removed at the same time. */
    private static final int AT_ONCE = 8;

    private final Rows rows;
    private final Duration retention;
    private final Duration attemptTimeout;
    private final LeaseListener listener;

    /** The floor as it was last seen. */
    private long floor;

    LeaseSweep(Rows rows, Duration retention, Duration attemptTimeout, LeaseListener listener) {
        this.rows = rows;
        this.retention = retention;
        this.attemptTimeout = attemptTimeout;
        this.listener = listener;
    }

    /**
     * A sweep of a table of leases. Every process that uses the table must be of a release that knows of sweeps.
     *
     * @param session the session; it stays open
     * @param writes how conditional writes run
     * @param table the table, as for {@link LeaseLocksFactory#create}
     * @param retention how long a row must not have been used before it is removed
     * @param attemptTimeout how long one statement is repeated while its outcome is unknown
     * @param listener hears of the rows that are removed
     * @return the sweep
     */
    public static LeaseSweep of(
            CqlSession session,
            ConditionalWrites writes,
            String table,
            Duration retention,
            Duration attemptTimeout,
            LeaseListener listener) {
        CqlSession own = ConditionalProfile.DEFAULT.on(session);
        return new LeaseSweep(
                new CassandraLeaseStore(own, writes, table),
                retention,
                attemptTimeout,
                LeaseListener.all(List.of(listener)));
    }

    /**
     * Goes through the whole table once.
     *
     * @param mayGoOn asked again and again; once it is false no further row is removed
     * @return becomes the number of rows removed; fails with a {@link LeaseException} where the cluster gives no clear
     *     answer: what is left is for the next sweep
     */
    public CompletionStage<Long> run(BooleanSupplier mayGoOn) {
        AtomicLong removed = new AtomicLong();
        return rows.first().thenCompose(page -> sweep(page, mayGoOn, removed)).thenApply(done -> removed.get());
    }

    private CompletionStage<Void> sweep(Rows.Page page, BooleanSupplier mayGoOn, AtomicLong removed) {
        List<Rows.FreeRow> old = page.free().stream()
                .filter(row -> row.untouched().compareTo(retention) >= 0)
                .toList();
        long highest = old.stream().mapToLong(Rows.FreeRow::epoch).max().orElse(0);
        CompletionStage<Void> swept = old.isEmpty() || !mayGoOn.getAsBoolean()
                ? done()
                : raiseTo(highest).thenCompose(raised -> remove(old, 0, mayGoOn, removed));
        Supplier<CompletionStage<Rows.Page>> more = page.next();
        return swept.thenCompose(done -> more == null || !mayGoOn.getAsBoolean()
                ? done()
                : more.get().thenCompose(next -> sweep(next, mayGoOn, removed)));
    }

    /** Also where it is that high: what a look shows need not be what a majority has. */
    private CompletionStage<Void> raiseTo(long highest) {
        long expected = floor;
        long raised = Math.max(expected, highest);
        return rows.raiseFloor(expected, raised, attemptTimeout).thenCompose(answer -> {
            if (answer instanceof LeaseAnswer.Done) {
                floor = raised;
                return done();
            }
            if (answer instanceof LeaseAnswer.Refused refused) {
                floor = refused.epoch();
                return raiseTo(highest);
            }
            return failed(LeaseRequest.FLOOR_NAME, answer);
        });
    }

    private CompletionStage<Void> remove(
            List<Rows.FreeRow> old, int from, BooleanSupplier mayGoOn, AtomicLong removed) {
        if (from >= old.size() || !mayGoOn.getAsBoolean()) {
            return done();
        }
        int to = Math.min(from + AT_ONCE, old.size());
        AtomicLong gone = new AtomicLong();
        CompletableFuture<?>[] removals = old.subList(from, to).stream()
                .map(row -> remove(row, gone).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(removals)
                .whenComplete((done, failure) -> {
                    removed.addAndGet(gone.get());
                    if (gone.get() > 0) {
                        listener.swept(gone.intValue());
                    }
                })
                .thenCompose(done -> remove(old, to, mayGoOn, removed));
    }

    private CompletionStage<Void> remove(Rows.FreeRow row, AtomicLong gone) {
        return rows.remove(row.name(), row.epoch(), attemptTimeout).thenCompose(answer -> {
            // Refused: it was used again, or the answer to an earlier run of the same statement was lost.
            boolean absent = answer instanceof LeaseAnswer.Refused refused && refused.epoch() == 0;
            if (answer instanceof LeaseAnswer.Done || absent) {
                gone.incrementAndGet();
            }
            return answer instanceof LeaseAnswer.Done || answer instanceof LeaseAnswer.Refused
                    ? done()
                    : failed(row.name(), answer);
        });
    }

    private static CompletionStage<Void> done() {
        return CompletableFuture.completedStage(null);
    }

    private static CompletionStage<Void> failed(String name, LeaseAnswer answer) {
        Throwable cause =
                answer instanceof LeaseAnswer.Denied denied ? denied.cause() : ((LeaseAnswer.Unclear) answer).cause();
        return CompletableFuture.failedStage(
                new LeaseUnavailableException(name, "rows that are not used any more stay", cause));
    }

    /** The table of leases as a sweep goes through it. The simulation brings its own. */
    interface Rows {

        /**
         * A row that no process held when it was read.
         *
         * @param name the name
         * @param epoch its epoch
         * @param untouched how long ago it was used, by the clocks of the nodes, as far as the row shows it
         */
        record FreeRow(String name, long epoch, Duration untouched) {}

        /**
         * Some rows.
         *
         * @param free those of them that were free
         * @param next reads those that follow; null at the end of the table
         */
        record Page(List<FreeRow> free, @Nullable Supplier<CompletionStage<Page>> next) {}

        /** {@return the first page} */
        CompletionStage<Page> first();

        /**
         * Raises the floor if it is what it is expected to be. A majority has it when this is done. It is done, too, if the
         * floor is that high already.
         *
         * @param expected the floor as it was last seen; 0 if there is none yet
         */
        CompletionStage<LeaseAnswer> raiseFloor(long expected, long floor, Duration timeout);

        /** Removes the row of a name if no process holds it and its epoch is this one. */
        CompletionStage<LeaseAnswer> remove(String name, long epoch, Duration timeout);
    }
}
