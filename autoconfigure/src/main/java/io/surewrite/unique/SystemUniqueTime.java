package io.surewrite.unique;

import io.surewrite.cql.WriteTimestamps;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The real clock, the session's write timestamps, and the timer that all futures share. */
final class SystemUniqueTime implements UniqueTime {

    private static final long LEAP = TimeUnit.MILLISECONDS.toNanos(200);

    private final WriteTimestamps timestamps;
    private long lead = leadOver(System.nanoTime());
    private long slept;

    SystemUniqueTime(WriteTimestamps timestamps) {
        this.timestamps = timestamps;
    }

    /**
     * {@return the monotonic clock, and the time for which the machine slept} While a machine is suspended its monotonic
     * clock may stand still, and a claim would look fresh long after its lease: a leap of the wall clock counts as sleep.
     */
    @Override
    public synchronized long nanos() {
        long monotonic = System.nanoTime();
        long leap = leadOver(monotonic) - lead;
        if (Math.abs(leap) > LEAP) {
            lead += leap;
            slept += Math.max(0, leap);
        }
        return monotonic + slept;
    }

    @Override
    public long nextTimestamp() {
        return timestamps.next();
    }

    @Override
    public void after(long nanos, Runnable task) {
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(task);
    }

    private static long leadOver(long monotonic) {
        return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - monotonic;
    }
}
