package io.surewrite.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Time that goes on only when a test says so. */
final class ManualTime implements LeaseTime {

    private final List<Due> timers = new ArrayList<>();
    private long now = -5; // clocks of nanoseconds begin anywhere

    private record Due(long at, Runnable task) {}

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public Timer after(long nanos, Runnable task) {
        Due due = new Due(now + nanos, task);
        timers.add(due);
        return () -> timers.remove(due);
    }

    /** Lets so much time go by, and runs what is due meanwhile, each at its time. */
    void advance(Duration by) {
        long end = now + by.toNanos();
        while (true) {
            Due next = timers.stream()
                    .filter(due -> due.at() <= end)
                    .min(Comparator.comparingLong(Due::at))
                    .orElse(null);
            if (next == null) {
                break;
            }
            timers.remove(next);
            now = Math.max(now, next.at());
            next.task().run();
        }
        now = end;
    }

    /** Lets so much time go by in which this process does not run, and none of its timers. */
    void freeze(Duration by) {
        now += by.toNanos();
    }

    /** {@return how many tasks wait for their time} */
    int waiting() {
        return timers.size();
    }
}
