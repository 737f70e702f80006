package io.surewrite.internal.clock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The clocks of this machine, and a timer. Simulated in tests. */
@FunctionalInterface
interface ClockTime {

    /** Only differences mean something. */
    default long nanos() {
        return System.nanoTime();
    }

    /** The clock that makes the timestamps of writes. */
    long wallMicros();

    /** Runs a short task later, by the timer that all futures share: no pool of the application's can be too busy for it. */
    default void after(long nanos, Runnable task) {
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, Runnable::run)
                .execute(task);
    }
}
