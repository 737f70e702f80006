package io.surewrite.lease;

import io.surewrite.internal.clock.ClockGuard.ClockCheck;
import io.surewrite.test.ManualClock;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The time of leases by a clock that a test moves.
 *
 * @param apart what is known to be wrong with the clocks of the nodes
 * @param setForward by how many nanoseconds somebody has set the clock of the machine forward
 */
record ManualTime(ManualClock clock, AtomicReference<@Nullable String> apart, AtomicLong setForward)
        implements LeaseTime {

    ManualTime() {
        this(new ManualClock(-5), new AtomicReference<>(), new AtomicLong()); // clocks of nanoseconds begin anywhere
    }

    @Override
    public long nanos() {
        return clock.nanos() + setForward.get();
    }

    @Override
    public long awakeNanos() {
        return clock.nanos();
    }

    @Override
    public ClockCheck clocks() {
        return apart::get;
    }

    @Override
    public Runnable after(long nanos, Runnable task) {
        return clock.after(nanos, task);
    }
}
