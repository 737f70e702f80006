package io.surewrite.unique;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.write.Internal;
import io.surewrite.write.PartlyDoneException;
import io.surewrite.write.UnknownOutcomeException;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Deletes all rows of a table that has unique constraints, with one page of keys in memory and some rows at a time. */
@Internal
public record WholeTable(ClaimingGuard guard, CqlRows rows, UniqueScanSettings scans) {

    /** Rows that are gone are not looked at again, so that a further call goes on where one was ended. */
    public void delete() {
        String name = rows.table().qualifiedName();
        TableScan scan = new TableScan(rows.session(), guard.parts(), "deleteAll of " + name, scans);
        Progress progress = new Progress();
        try {
            forEach(
                    scan,
                    row -> rows.scannedKey(row)
                            .ifPresent(owner -> scan.begin(() -> progress.of(guard.deleteAsync(rows, owner)))));
        } catch (RuntimeException failure) {
            throw progress.ended(name, scan.reported(failure));
        }
    }

    /**
     * A small table is one query. A large one is looked at slice by slice, so that no query has to go through all the
     * tombstones of rows that were deleted before.
     */
    private void forEach(TableScan scan, Consumer<Row> found) {
        Optional<AsyncResultSet> small = scan.once(
                        () -> rows.selectKeys(Long.MIN_VALUE, Long.MAX_VALUE, scans.pageSize()))
                .filter(page -> !page.hasMorePages());
        if (small.isPresent()) {
            small.get().currentPage().forEach(found);
            scan.await();
            return;
        }
        for (TableScan.Slice slice : TableScan.slicesBehind(Long.MIN_VALUE, scans.slices())) {
            scan.forEach(() -> rows.selectKeys(slice.after(), slice.upto(), scans.pageSize()), found);
            scan.await();
        }
    }

    private static final class Progress {

        private final AtomicLong begun = new AtomicLong();
        private final AtomicLong deleted = new AtomicLong();
        private final AtomicLong kept = new AtomicLong();

        CompletionStage<Void> of(CompletionStage<Void> deletion) {
            begun.incrementAndGet();
            return deletion.whenComplete((done, failure) -> {
                if (failure == null) {
                    deleted.incrementAndGet();
                } else if (!(DriverFailures.unwrapped(failure) instanceof UnknownOutcomeException)) {
                    kept.incrementAndGet();
                }
            });
        }

        /** {@return what to throw} Rows whose deletion is still under way count as undecided. */
        RuntimeException ended(String table, RuntimeException failure) {
            long done = deleted.get();
            long undecided = begun.get() - done - kept.get();
            if (done + undecided == 0) {
                return failure;
            }
            String message =
                    "deleteAll of %s: ended after %d rows were deleted, %d more may be, and the rest is there; calling it again goes on"
                            .formatted(table, done, undecided);
            return done == 0
                    ? new UnknownOutcomeException(message, failure)
                    : new PartlyDoneException(message, failure, (int) Math.min(done, Integer.MAX_VALUE), (int)
                            Math.min(undecided, Integer.MAX_VALUE));
        }
    }

    /** How whole tables are looked at: in slices, a power of two; a repair that was ended repeats less than one. */
    public record UniqueScanSettings(int inFlight, int rowsPerSecond, int pageSize, int slices) {

        public UniqueScanSettings {
            if (rowsPerSecond < 0) {
                throw new IllegalArgumentException("rows-per-second must not be negative");
            }
        }
    }
}
