package io.surewrite.internal.clock;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A monotonic clock that also counts the time for which the machine slept: {@link System#nanoTime()} stands still meanwhile, and
 * a lease would look held long after it ran out. So a leap of the wall clock against it counts as time passed. A wall clock that
 * is set back changes nothing; one that is set forward costs leases, claims and time-outs that time, which is safe.
 */
public final class WakefulClock {

    private static final long LEAP = TimeUnit.MILLISECONDS.toNanos(200);

    private final LongSupplier monotonicNanos;
    private final LongSupplier wallMillis;
    private volatile Seen seen;

    /** At the last leap: the wall clock's lead over the monotonic one, and the sum of all leaps forward. */
    private record Seen(long lead, long slept) {}

    WakefulClock(LongSupplier monotonicNanos, LongSupplier wallMillis) {
        this.monotonicNanos = monotonicNanos;
        this.wallMillis = wallMillis;
        this.seen = new Seen(leadOverNow(monotonicNanos.getAsLong()), 0);
    }

    public static WakefulClock ofSystem() {
        return new WakefulClock(System::nanoTime, System::currentTimeMillis);
    }

    /** Only differences mean something. */
    public long nanos() {
        long monotonic = monotonicNanos.getAsLong();
        if (Math.abs(leadOverNow(monotonic) - seen.lead()) > LEAP) {
            leap();
        }
        return monotonic + seen.slept();
    }

    /** Looks at both clocks again: meanwhile another thread may have seen the leap, or a later one. */
    private synchronized void leap() {
        long lead = leadOverNow(monotonicNanos.getAsLong());
        long leap = lead - seen.lead();
        if (Math.abs(leap) > LEAP) {
            seen = new Seen(lead, seen.slept() + Math.max(0, leap));
        }
    }

    private long leadOverNow(long monotonic) {
        return TimeUnit.MILLISECONDS.toNanos(wallMillis.getAsLong()) - monotonic;
    }
}
