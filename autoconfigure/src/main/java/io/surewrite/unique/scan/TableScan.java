package io.surewrite.unique.scan;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.unique.UnclaimableValueException;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueReport;
import io.surewrite.unique.UniqueReport.Duplicate;
import io.surewrite.unique.UniqueReport.State;
import io.surewrite.unique.UniqueScanSettings;
import io.surewrite.unique.UniqueValue;
import io.surewrite.unique.claims.CassandraClaimStore;
import io.surewrite.unique.claims.ExistingRowClaims;
import io.surewrite.unique.claims.GuardParts;
import io.surewrite.unique.claims.RowSnapshot;
import io.surewrite.unique.claims.Stages;
import io.surewrite.unique.rows.CqlRows;
import io.surewrite.unique.rows.ScannedRow;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Goes through a table, and the table of claims, slice by slice, for one constraint. Used once, by one thread. */
final class TableScan {

    private static final Logger log = LoggerFactory.getLogger(TableScan.class);

    private static final long SAVED_EVERY = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long LOGGED_EVERY = TimeUnit.SECONDS.toNanos(10);

    private final CqlSession session;
    private final GuardParts parts;
    private final CassandraClaimStore claims;
    private final CqlRows rows;
    private final UniqueConstraint constraint;
    private final BuildRecord record;
    private final UniqueScanSettings settings;
    private final ScanTally tally = new ScanTally();
    private final BoundedSteps steps;
    private final ScanRequests requests;
    private long savedAt = System.nanoTime();
    private long loggedAt = System.nanoTime();

    TableScan(
            CqlSession session,
            GuardParts parts,
            CassandraClaimStore claims,
            CqlRows rows,
            UniqueConstraint constraint,
            BuildRecord record,
            UniqueScanSettings settings,
            ScanRequests requests) {
        this.session = session;
        this.parts = parts;
        this.claims = claims;
        this.rows = rows;
        this.constraint = constraint;
        this.record = record;
        this.settings = settings;
        this.steps = new BoundedSteps(settings);
        this.requests = requests;
    }

    UniqueReport build() {
        return reporting(this::buildAll);
    }

    UniqueReport repair(boolean dryRun) {
        return reporting(() -> repairAll(dryRun));
    }

    long sweep() {
        return reporting(this::sweepAll);
    }

    /** The same failure for every step that had no answer. */
    private <T> T reporting(Supplier<T> scan) {
        try {
            return scan.get();
        } catch (RuntimeException failure) {
            throw requests.reported(failure);
        }
    }

    // ---- build ----

    private UniqueReport buildAll() {
        Optional<BuildRecord.Progress> unfinished =
                record.find().filter(found -> found.report().state() == State.UNFINISHED);
        unfinished.ifPresentOrElse(found -> tally.add(found.report()), this::startAnew);
        long from = unfinished.map(BuildRecord.Progress::position).orElse(Long.MIN_VALUE);
        log.info(
                "Building the claims of {}, {}",
                constraint.name(),
                unfinished.isEmpty() ? "from the beginning" : "going on");
        ExistingRowClaims making = claimsOfRows(tally, duplicate -> {
            tally.add(duplicate);
            return record.add(duplicate);
        });
        for (TokenSlice slice : TokenSlice.behind(from, settings.slices())) {
            scanRows(slice, (row, value) -> making.claim(row.owner(), value, written(row)));
            UniqueReport soFar = tally.report(constraint.name(), State.UNFINISHED, TokenSlice.share(slice.upto()));
            tell(soFar);
            if (System.nanoTime() - savedAt > SAVED_EVERY) {
                record.save(slice.upto(), soFar);
                savedAt = System.nanoTime();
            }
        }
        return ended(true, lookAgain());
    }

    private void startAnew() {
        record.removeAll();
        record.save(Long.MIN_VALUE, tally.report(constraint.name(), State.UNFINISHED, 0));
    }

    /** {@return a tally in which the duplicates of all processes that took part are, as far as they still are some} */
    private ScanTally lookAgain() {
        ScanTally all = new ScanTally();
        all.add(tally.report(constraint.name(), State.UNFINISHED, 1));
        record.duplicates().forEach(duplicate -> steps.begin(() -> lookAgain(duplicate, all)));
        steps.await();
        return all;
    }

    private CompletionStage<Void> lookAgain(Duplicate duplicate, ScanTally all) {
        List<Duplicate> still = new CopyOnWriteArrayList<>();
        ExistingRowClaims again = claimsOfRows(all, found -> {
            still.add(found);
            return Stages.done();
        });
        return again.claimAgain(duplicate).thenCompose(done -> {
            still.forEach(all::add);
            return still.isEmpty() ? record.remove(duplicate) : record.add(still.get(0));
        });
    }

    // ---- audit, repair and sweep ----

    private UniqueReport repairAll(boolean dryRun) {
        ExistingRowClaims checking = claimsOfRows(tally, duplicate -> {
            tally.add(duplicate);
            return Stages.done();
        });
        for (TokenSlice slice : TokenSlice.behind(Long.MIN_VALUE, settings.slices())) {
            scanRows(
                    slice, (row, value) -> checking.check(row.owner(), value, row.valueWrite(), written(row), !dryRun));
            scanClaims(slice, checking, !dryRun);
            tell(tally.report(constraint.name(), State.UNFINISHED, TokenSlice.share(slice.upto())));
        }
        return ended(false, tally);
    }

    private long sweepAll() {
        ExistingRowClaims sweeping = claimsOfRows(tally, duplicate -> Stages.done());
        TokenSlice.behind(Long.MIN_VALUE, settings.slices()).forEach(slice -> scanClaims(slice, sweeping, true));
        log.info("Unique constraint {}: {} abandoned claims removed", constraint.name(), tally.freed);
        return tally.freed.sum();
    }

    // ---- slices ----

    private ExistingRowClaims claimsOfRows(ScanTally counting, Function<Duplicate, CompletionStage<Void>> duplicates) {
        return new ExistingRowClaims(parts, rows, constraint, counting.findings(duplicates));
    }

    private static long written(ScannedRow row) {
        return row.valueWrite() == RowSnapshot.NEVER ? row.newestWrite() : row.valueWrite();
    }

    private void scanClaims(TokenSlice slice, ExistingRowClaims checking, boolean fixes) {
        requests.pages(session, () -> claims.selectRange(slice.after(), slice.upto(), settings.pageSize()))
                .flatMap(row -> CassandraClaimStore.scanned(row, constraint.name()).stream())
                .forEach(claim -> steps.begin(() -> checking.checkClaim(claim, fixes)));
        steps.await();
    }

    /** What is done with a row. */
    private interface RowStep {

        CompletionStage<Void> run(ScannedRow row, UniqueValue value);
    }

    private void scanRows(TokenSlice slice, RowStep step) {
        requests.pages(session, () -> rows.selectRange(constraint, slice.after(), slice.upto(), settings.pageSize()))
                .map(row -> rows.scanned(constraint, row))
                .filter(ScannedRow::isWhole)
                .forEach(row -> {
                    UniqueValue value = claimedValue(row);
                    if (value != null) {
                        tally.rows.increment();
                        steps.begin(() -> step.run(row, value));
                    }
                });
        steps.await();
    }

    private @Nullable UniqueValue claimedValue(ScannedRow row) {
        try {
            UniqueValue value = row.value(constraint);
            return constraint.claims(value) ? value : null;
        } catch (UnclaimableValueException unclaimable) {
            tally.unclaimable.increment();
            return null;
        }
    }

    private UniqueReport ended(boolean saves, ScanTally found) {
        UniqueReport report = found.report(constraint.name(), found.state(), 1);
        if (saves) {
            record.save(Long.MAX_VALUE, report);
        }
        parts.listener().scanned(report);
        log(report);
        return report;
    }

    private void tell(UniqueReport soFar) {
        parts.listener().scanned(soFar);
        if (System.nanoTime() - loggedAt > LOGGED_EVERY) {
            log(soFar);
            loggedAt = System.nanoTime();
        }
    }

    private static void log(UniqueReport report) {
        log.info(
                "Unique constraint {}: {} % looked at, {} rows, {} claims made or found, {} rows had none, {} duplicates, {} orphans, {} removed; {}",
                report.constraint(),
                Math.round(100 * report.progress()),
                report.rows(),
                report.claimed(),
                report.missing(),
                report.duplicates(),
                report.orphans(),
                report.freed(),
                report.state());
    }
}
