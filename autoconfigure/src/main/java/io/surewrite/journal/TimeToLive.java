package io.surewrite.journal;

import io.surewrite.journal.JournalStore.Stored;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * How much longer an entry is kept: it goes at the same instant from wherever it was written to, and before those that are
 * newer.
 *
 * @param all counted from the entry's instant; zero is for ever
 * @param clock says what time it is
 */
record TimeToLive(Duration all, Clock clock) {

    static final int EXPIRED = -1;

    /** Cassandra's word for it. */
    private static final int FOR_EVER = 0;

    int of(Stored entry) {
        return of(JournalInput.instant(entry.micros()));
    }

    /** {@return the seconds that are left, 0 for ever, or {@link #EXPIRED}} */
    int of(Instant at) {
        if (all.isZero()) {
            return FOR_EVER;
        }
        long left = Duration.between(clock.instant(), at.plus(all)).toSeconds();
        return left < 1 ? EXPIRED : Math.toIntExact(left);
    }
}
