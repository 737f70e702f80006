package io.surewrite.lease;

import io.surewrite.test.ManualClock;

/** The time of leases by a clock that a test moves. */
record ManualTime(ManualClock clock) implements LeaseTime {

    ManualTime() {
        this(new ManualClock(-5)); // clocks of nanoseconds begin anywhere
    }

    @Override
    public long nanos() {
        return clock.nanos();
    }

    @Override
    public Timer after(long nanos, Runnable task) {
        return clock.after(nanos, task)::run;
    }
}
