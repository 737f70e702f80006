package io.surewrite.unique;

import io.surewrite.cql.WriteTimestamps;
import io.surewrite.cql.clock.ClockCheck;
import io.surewrite.cql.clock.ClockGuard;
import io.surewrite.cql.clock.WakefulClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The real clock, the session's write timestamps, and the timer that all futures share. */
final class SystemUniqueTime implements UniqueTime {

    private final WakefulClock clock = WakefulClock.ofSystem();
    private final WriteTimestamps timestamps;

    private final ClockCheck clocks;

    /**
     * @param skewMargin how far the clocks of any two machines may be apart
     */
    SystemUniqueTime(WriteTimestamps timestamps, Duration skewMargin) {
        this.timestamps = timestamps;
        this.clocks = ClockGuard.of(timestamps).betweenMachines("surewrite.unique.skew-margin", skewMargin);
    }

    @Override
    public ClockCheck clocks() {
        return clocks;
    }

    @Override
    public ClockCheck ofWrites() {
        return ClockGuard.of(timestamps).ofWrites();
    }

    /** A claim that was made before the machine slept is not fresh afterwards. */
    @Override
    public long nanos() {
        return clock.nanos();
    }

    @Override
    public long nextTimestamp() {
        return timestamps.tick();
    }

    @Override
    public void after(long nanos, Runnable task) {
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(task);
    }
}
