package io.surewrite.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Time that goes on only when a test says so. */
public final class ManualClock {

    private final List<Due> tasks = new ArrayList<>();
    private long now;

    private record Due(long at, Runnable task) {}

    /**
     * @param now what it shows first
     */
    public ManualClock(long now) {
        this.now = now;
    }

    /** {@return what it shows, in nanoseconds} */
    public long nanos() {
        return now;
    }

    /** Runs a task so much later, and answers how to call it off. */
    public Runnable after(long nanos, Runnable task) {
        Due due = new Due(now + nanos, task);
        tasks.add(due);
        return () -> tasks.remove(due);
    }

    /** Lets so much time go by, and runs what is due meanwhile, each at its time. */
    public void advance(Duration by) {
        long end = now + by.toNanos();
        while (true) {
            Due next = tasks.stream()
                    .filter(due -> due.at() <= end)
                    .min(Comparator.comparingLong(Due::at))
                    .orElse(null);
            if (next == null) {
                break;
            }
            tasks.remove(next);
            now = Math.max(now, next.at());
            next.task().run();
        }
        now = end;
    }

    /** Lets so much time go by in which this process does not run, and nothing that is due. */
    public void freeze(Duration by) {
        now += by.toNanos();
    }

    /** {@return how many tasks wait for their time} */
    public int waiting() {
        return tasks.size();
    }
}
