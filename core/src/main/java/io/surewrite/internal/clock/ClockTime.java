package io.surewrite.internal.clock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The clocks of this machine, and a timer. Simulated in tests. */
interface ClockTime {

    /** {@return a clock that is never set, and of which only differences mean something} */
    long nanos();

    /** {@return the clock that makes the timestamps of writes} */
    long wallMicros();

    /** Runs a short task so much later. */
    void after(long nanos, Runnable task);

    /** {@return those of the system} */
    static ClockTime ofSystem(LongSupplier wallMicros) {
        return new OfSystem(wallMicros);
    }

    /** Those of the system, with the timer that all futures share: no pool of the application's can be too busy for it. */
    record OfSystem(LongSupplier wall) implements ClockTime {

        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public long wallMicros() {
            return wall.getAsLong();
        }

        @Override
        public void after(long nanos, Runnable task) {
            CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, Runnable::run)
                    .execute(task);
        }
    }
}
