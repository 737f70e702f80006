package io.surewrite.lease;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How long to wait between two looks at a name that another process holds: short at first, longer for one that stays,
 * short again when the holder changes. Never longer than the holder's lease lasts.
 */
final class PollPace {

    /** Instead of an epoch, none of which is negative. */
    static final long NO_HOLDER = -1;

    private static final long MIN = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long MAX = TimeUnit.MILLISECONDS.toNanos(250);

    private final LeaseContext context;
    private long interval = MIN;
    private long roundTrip;
    private long seen = NO_HOLDER;

    PollPace(LeaseContext context) {
        this.context = context;
    }

    void acquired(long nanos) {
        roundTrip = nanos;
        interval = MIN;
        seen = NO_HOLDER;
    }

    long shortest() {
        return context.jittered(MIN);
    }

    /** The pause after a look that showed this epoch, and that its lease lasts so long; zero if that is not known. */
    long next(long holder, Duration remaining) {
        interval = holder != NO_HOLDER && holder != seen ? MIN : Math.min(MAX, interval * 2);
        seen = holder;
        long pause = context.jittered(interval);
        return remaining.isZero() ? pause : Math.min(pause, Math.max(MIN, remaining.toNanos()));
    }

    /**
     * How long to leave a name to others: a little longer than the pauses of a process that waited meanwhile, which double
     * and so are never longer than it has waited; and the time that it takes to look and to acquire.
     */
    long courtesy(long held) {
        return Math.min(MAX, Math.max(2 * MIN, held) + 2 * roundTrip) * 5 / 4;
    }
}
