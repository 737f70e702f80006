package io.surewrite.unique;

import io.surewrite.cql.clock.ClockCheck;

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

    /** Runs a short task so much later. */
    void after(long nanos, Runnable task);
}
