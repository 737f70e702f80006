package io.surewrite.unique;

/** All that the protocol knows of time. Simulated in tests. */
interface UniqueTime {

    /** {@return a clock that only means something in differences, like {@link System#nanoTime()}} */
    long nanos();

    /** {@return the next write timestamp, in microseconds, greater than all before} */
    long nextTimestamp();

    /** Runs a short task so much later. */
    void after(long nanos, Runnable task);
}
