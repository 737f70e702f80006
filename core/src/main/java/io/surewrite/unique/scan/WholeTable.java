package io.surewrite.unique.scan;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.cql.PartlyDoneException;
import io.surewrite.cql.UnknownOutcomeException;
import io.surewrite.cql.session.DriverFailures;
import io.surewrite.unique.claims.CassandraClaimStore;
import io.surewrite.unique.claims.ClaimingGuard;
import io.surewrite.unique.rows.CqlRows;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Deletes all rows of a table that has unique constraints. Blocks its caller until all is done, with one page of keys in
 * memory and a bounded number of rows at a time.
 *
 * @param guard deletes each row and frees its values
 * @param rows the table
 * @param scans how many rows at a time, how fast, and how large pages are
 */
public record WholeTable(ClaimingGuard guard, CqlRows rows, UniqueScanSettings scans) {

    /**
     * Deletes the rows that are there, each with its claims. What is written meanwhile may stay. Rows that are gone are not
     * looked at again, so that a further call goes on where one was ended.
     *
     * @throws UnknownOutcomeException if some rows are deleted and others are not, or may not be
     * @throws io.surewrite.unique.ClaimsUnavailableException if the cluster gives no clear answer before a row is deleted
     */
    public void delete() {
        ScanRequests requests = requests("deleteAll");
        Progress progress = new Progress();
        BoundedSteps steps = new BoundedSteps(scans);
        try {
            forEach(
                    requests,
                    steps,
                    rows::selectKeys,
                    row -> rows.scannedKey(row)
                            .ifPresent(owner -> steps.begin(() -> progress.of(guard.deleteAsync(rows, owner)))));
        } catch (RuntimeException failure) {
            throw progress.ended(name(), requests.reported(failure));
        }
    }

    /**
     * Removes claims whose rows were truncated: no process may write the table meanwhile.
     *
     * @param constraints the names of all constraints of the table; claims of its rows go, too
     * @throws io.surewrite.unique.ClaimsUnavailableException if the cluster gives no clear answer; calling it again goes on
     */
    public void forgetClaims(Set<String> constraints) {
        CassandraClaimStore claims = CassandraClaimStore.of(guard);
        String ofRows = rows.rowClaim();
        ScanRequests requests = requests("removal of the claims");
        BoundedSteps steps = new BoundedSteps(scans);
        try {
            forEach(requests, steps, claims::selectRange, row -> {
                String name = String.valueOf(row.getString("constraint_name"));
                if (constraints.contains(name) || name.equals(ofRows)) {
                    CassandraClaimStore.scanned(row, name).ifPresent(claim -> steps.begin(() -> claims.forget(claim)));
                }
            });
        } catch (RuntimeException failure) {
            throw requests.reported(failure);
        }
    }

    private String name() {
        return rows.table().qualifiedName();
    }

    private ScanRequests requests(String operation) {
        return new ScanRequests(rows.session(), guard.parts(), operation + " of " + name());
    }

    /** Asks for a page of a range of tokens. */
    @FunctionalInterface
    private interface Query {

        CompletionStage<? extends Statement<?>> of(long after, long upto, int pageSize);
    }

    /**
     * A small table is one query. A large one is looked at slice by slice, so that no query has to go through all the
     * tombstones of rows that were deleted before.
     */
    private void forEach(ScanRequests requests, BoundedSteps steps, Query query, Consumer<Row> found) {
        TokenSlice whole = new TokenSlice(Long.MIN_VALUE, Long.MAX_VALUE);
        Optional<AsyncResultSet> small = requests.once(() -> query.of(whole.after(), whole.upto(), scans.pageSize()))
                .filter(page -> !page.hasMorePages());
        if (small.isPresent()) {
            small.get().currentPage().forEach(found);
            steps.await();
            return;
        }
        List<TokenSlice> slices = TokenSlice.behind(Long.MIN_VALUE, scans.slices());
        for (TokenSlice slice : slices) {
            requests.forEach(() -> query.of(slice.after(), slice.upto(), scans.pageSize()), found);
            steps.await();
        }
    }

    /** What became of the rows so far. */
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
}
