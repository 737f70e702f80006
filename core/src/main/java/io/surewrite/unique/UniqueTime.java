package io.surewrite.unique;

import io.surewrite.internal.clock.ClockGuard;
import io.surewrite.internal.clock.ClockGuard.ClockCheck;
import io.surewrite.internal.clock.WakefulClock;
import io.surewrite.write.WriteScope;
import io.surewrite.write.WriteTimestamps;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** All that the protocol knows of time. Simulated in tests. */
interface UniqueTime {

    /** {@return whether clocks are known to be too far apart for new claims} */
    default ClockCheck clocks() {
        return ClockCheck.NONE;
    }

    /** {@return whether the clock of the write timestamps is known to be wrong} */
    default ClockCheck ofWrites() {
        return ClockCheck.NONE;
    }

    /** {@return a clock that only means something in differences, like {@link System#nanoTime()}} */
    long nanos();

    /** {@return the next write timestamp, in microseconds, greater than all before} */
    long nextTimestamp();

    /** {@return when the scope was made, which tells it from another one with its timestamp} */
    long madeAt(WriteScope scope);

    /** {@return for how many nanoseconds the scope has existed} */
    long ageOf(WriteScope scope);

    /** Runs a short task so much later. */
    void after(long nanos, Runnable task);

    /** The real clock, the session's write timestamps, and the timer that all futures share. */
    static UniqueTime of(WriteTimestamps timestamps) {
        ClockGuard guard = ClockGuard.of(timestamps);
        // A claim that was made before the machine slept is not fresh afterwards.
        return new OfSession(timestamps, WakefulClock.ofSystem(), guard.ofAcquiring(), guard::problem);
    }

    /** The real one. */
    record OfSession(WriteTimestamps timestamps, WakefulClock clock, ClockCheck clocks, ClockCheck ofWrites)
            implements UniqueTime {

        @Override
        public long nanos() {
            return clock.nanos();
        }

        @Override
        public long nextTimestamp() {
            return timestamps.tick();
        }

        @Override
        public long madeAt(WriteScope scope) {
            return scope.openedAt();
        }

        @Override
        public long ageOf(WriteScope scope) {
            return System.nanoTime() - scope.openedAt();
        }

        @Override
        public void after(long nanos, Runnable task) {
            CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(task);
        }
    }
}
