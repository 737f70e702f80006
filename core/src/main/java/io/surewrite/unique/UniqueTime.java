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

    /** Whether clocks are known to be too far apart for new claims. */
    default ClockCheck clocks() {
        return ClockCheck.NONE;
    }

    /** Whether the clock of the write timestamps is known to be wrong. */
    default ClockCheck ofWrites() {
        return ClockCheck.NONE;
    }

    long nanos();

    /** At least two above the last one, as one above may be a takeover's. So it may be ahead of the clock, where that was set back. */
    long nextTimestamp();

    /** {@return what the clock shows, in microseconds since the epoch} */
    long wallMicros();

    long ageOf(WriteScope scope);

    void after(long nanos, Runnable task);

    static UniqueTime of(WriteTimestamps timestamps) {
        ClockGuard guard = ClockGuard.of(timestamps);
        // A claim that was made before the machine slept is not fresh afterwards.
        return new OfSession(timestamps, WakefulClock.ofSystem(), guard.ofAcquiring(), guard::problem);
    }

    record OfSession(WriteTimestamps timestamps, WakefulClock clock, ClockCheck clocks, ClockCheck ofWrites)
            implements UniqueTime {

        @Override
        public long nanos() {
            return clock.nanos();
        }

        @Override
        public long nextTimestamp() {
            return timestamps.drawUnasked();
        }

        @Override
        public long wallMicros() {
            return timestamps.clockMicros();
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
