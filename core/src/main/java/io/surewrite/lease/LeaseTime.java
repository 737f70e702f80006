package io.surewrite.lease;

import io.surewrite.internal.clock.ClockGuard.ClockCheck;
import java.time.Duration;

/** All that the protocol knows of time. Simulated in tests. */
interface LeaseTime {

    /** Clocks of nanoseconds tell before from after as far as twice this. */
    Duration LONGEST = Duration.ofDays(36_500);

    /** {@return a clock that only means something in differences, like {@link System#nanoTime()}} */
    long nanos();

    /**
     * {@return a clock like {@link #nanos()} that nobody can set forward} It may stand still while the machine sleeps: for what
     * must not be over too early.
     */
    default long awakeNanos() {
        return nanos();
    }

    /** {@return whether clocks are known to be too far apart for new leases} */
    default ClockCheck clocks() {
        return ClockCheck.NONE;
    }

    /** {@return how long a caller waits, in nanoseconds, and some decades for longer than that} */
    static long nanos(Duration wait) {
        return wait.compareTo(LONGEST) < 0 ? wait.toNanos() : LONGEST.toNanos();
    }

    /**
     * Runs a task later, on the one thread for all leases.
     *
     * @param nanos how much later; zero or less means soon
     * @param task what to run; must not block
     */
    Timer after(long nanos, Runnable task);

    /** A task that waits for its time. */
    interface Timer {

        /** Calls it off, if it has not begun. */
        void cancel();
    }
}
