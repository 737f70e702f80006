package io.surewrite.lease;

/** All that the protocol knows of time. Simulated in tests. */
interface LeaseTime {

    /** {@return a clock that only means something in differences, like {@link System#nanoTime()}} */
    long nanos();

    /**
     * Runs a task later, on the one thread for all leases.
     *
     * @param nanos how much later; zero or less means soon
     * @param task what to run; must not block
     * @return how to call it off
     */
    Timer after(long nanos, Runnable task);

    /** A task that waits for its time. */
    interface Timer {

        /** Calls it off, if it has not begun. */
        void cancel();
    }
}
