package io.surewrite.unique.scan;

import io.surewrite.unique.UniqueReport;
import io.surewrite.unique.UniqueReport.Duplicate;
import io.surewrite.unique.UniqueReport.State;
import io.surewrite.unique.claims.ExistingRowClaims.Finding;
import io.surewrite.unique.claims.ExistingRowClaims.Twins;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/** What a scan has found so far. Thread safe. */
final class ScanTally {

    private static final int SHOWN = 1_000;

    final LongAdder rows = new LongAdder();
    final LongAdder claimed = new LongAdder();
    final LongAdder missing = new LongAdder();
    final LongAdder orphans = new LongAdder();
    final LongAdder freed = new LongAdder();
    final LongAdder unclaimable = new LongAdder();

    private final Function<Twins, Duplicate> shown;
    private final LongAdder duplicates = new LongAdder();
    private final List<Duplicate> first = new ArrayList<>();

    void count(Finding finding) {
        switch (finding) {
            case CLAIMED -> claimed.increment();
            case MISSING -> missing.increment();
            case ORPHAN -> orphans.increment();
            case FREED -> freed.increment();
        }
    }

    /**
     * @param shown a duplicate as reports show it
     */
    ScanTally(Function<Twins, Duplicate> shown) {
        this.shown = shown;
    }

    void add(Twins duplicate) {
        duplicates.increment();
        synchronized (first) {
            if (first.size() < SHOWN) {
                first.add(shown.apply(duplicate));
            }
        }
    }

    /** Goes on from what an earlier scan had found. */
    void add(UniqueReport earlier) {
        rows.add(earlier.rows());
        claimed.add(earlier.claimed());
        unclaimable.add(earlier.unclaimable());
    }

    /** {@return what is known when all was looked at} */
    State state() {
        long unclaimed = missing.sum() - claimed.sum();
        return duplicates.sum() + unclaimable.sum() > 0 || unclaimed > 0 ? State.VIOLATED : State.VALID;
    }

    UniqueReport report(String constraint, State state, double progress) {
        synchronized (first) {
            return new UniqueReport(
                    constraint,
                    state,
                    progress,
                    rows.sum(),
                    claimed.sum(),
                    missing.sum(),
                    orphans.sum(),
                    freed.sum(),
                    unclaimable.sum(),
                    duplicates.sum(),
                    first);
        }
    }
}
