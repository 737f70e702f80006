package io.surewrite.lease;

import java.time.Duration;

/** All that the protocol knows of time. Simulated in tests. */
interface LeaseTime {

    Duration LONGEST = Duration.ofDays(36_500);

    /** Only differences mean something. */
    long nanos();

    /** A clock that nobody can set forward, but that may stand still while the machine sleeps. */
    long awakeNanos();

    /** Some decades at most: clocks of nanoseconds tell before from after as far as twice that. */
    static long nanos(Duration wait) {
        if (wait.isNegative()) {
            return 0;
        }
        return wait.compareTo(LONGEST) < 0 ? wait.toNanos() : LONGEST.toNanos();
    }

    /** Runs a task later, on the one thread for all leases: it must not block. What it returns calls the task off. */
    Runnable after(long nanos, Runnable task);
}
