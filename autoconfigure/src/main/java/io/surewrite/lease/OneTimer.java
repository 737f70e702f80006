package io.surewrite.lease;

import org.jspecify.annotations.Nullable;

/** At most one task that waits for its time. Not safe for use by several threads. */
final class OneTimer {

    private final LeaseTime time;
    private LeaseTime.@Nullable Timer timer;

    OneTimer(LeaseTime time) {
        this.time = time;
    }

    /** Runs a task after so many nanoseconds, instead of the one before. */
    void set(long nanos, Runnable task) {
        stop();
        timer = time.after(Math.max(0, nanos), task);
    }

    void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
