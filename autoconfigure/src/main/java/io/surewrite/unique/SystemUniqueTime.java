package io.surewrite.unique;

import io.surewrite.cql.WakefulClock;
import io.surewrite.cql.WriteTimestamps;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The real clock, the session's write timestamps, and the timer that all futures share. */
final class SystemUniqueTime implements UniqueTime {

    private final WakefulClock clock = WakefulClock.ofSystem();
    private final WriteTimestamps timestamps;

    SystemUniqueTime(WriteTimestamps timestamps) {
        this.timestamps = timestamps;
    }

    /** A claim that was made before the machine slept is not fresh afterwards. */
    @Override
    public long nanos() {
        return clock.nanos();
    }

    @Override
    public long nextTimestamp() {
        return timestamps.next();
    }

    @Override
    public void after(long nanos, Runnable task) {
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(task);
    }
}
