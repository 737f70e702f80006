package io.surewrite.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** True time, the events to come, and the dice. One run: make a world, put events into it, {@link #run}. */
public final class World {

    public static final long MILLIS = 1_000_000;
    public static final long SECOND = 1_000 * MILLIS;

    private final SplittableRandom random;
    private final boolean recording;
    private final List<String> history = new ArrayList<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final List<Runnable> checks = new ArrayList<>();
    private long now;
    private long eventCount;
    private long awaited;
    private boolean aside;
    private @Nullable Violation violation;
    private @Nullable Steps steps;

    /**
     * @param seed decides everything that is left open
     * @param recording whether to write a history, which is slow
     */
    public World(long seed, boolean recording) {
        this.random = new SplittableRandom(seed);
        this.recording = recording;
    }

    /** Counts its steps. */
    public void count(Steps own) {
        steps = own;
    }

    @Nullable
    Steps steps() {
        return steps;
    }

    /** {@return the true time in nanoseconds since the beginning} */
    public long now() {
        return now;
    }

    /** Lets something happen later. The process, if given, must be awake and alive for it. */
    public Event after(long nanos, @Nullable SimProcess process, Runnable action) {
        return add(now + Math.max(0, nanos), eventCount++, process, action, aside);
    }

    /**
     * Like {@link #after}, but when nothing else is left to happen, neither this nor what follows from it happens any more.
     */
    public void afterIfAtAll(long nanos, SimProcess process, Runnable action) {
        add(now + Math.max(0, nanos), eventCount++, process, action, true);
    }

    private Event add(long at, long order, @Nullable SimProcess process, Runnable action, boolean daemon) {
        Event event = new Event(at, order, process, action, daemon);
        events.add(event);
        awaited += event.weight();
        return event;
    }

    /** Has a check run after every event. It throws {@link Violation}. */
    public void check(Runnable check) {
        checks.add(check);
    }

    /** Ends the run with a violation, even if what throws here is caught on the way, as futures do. */
    public void violate(String message) {
        violation = violation == null ? new Violation(message) : violation;
        throw violation;
    }

    /** Lets everything happen, until nothing is left to happen. */
    public void run(long limit) {
        run(limit, () -> false);
    }

    /** Lets things happen until something is so, or nothing is left to happen. */
    public void runUntil(BooleanSupplier condition) {
        run(Long.MAX_VALUE, condition);
    }

    private void run(long limit, BooleanSupplier condition) {
        while (awaited > 0 && !condition.getAsBoolean()) {
            Event event = events.remove();
            if (!event.end()) {
                continue;
            }
            now = Math.max(now, event.at);
            if (now > limit) {
                violate("the world does not come to rest");
            }
            SimProcess process = event.process;
            if (process != null && process.isCrashed()) {
                continue;
            }
            if (process != null && process.sleepsUntil() > now) {
                add(process.sleepsUntil(), event.order, process, event.action, event.daemon);
                continue;
            }
            aside = event.daemon;
            event.action.run();
            aside = false;
            checks.forEach(Runnable::run);
            if (violation != null) {
                throw violation;
            }
        }
    }

    // ---- dice ----

    public boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** {@return a number from low to high, both included} */
    public long between(long low, long high) {
        return low == high ? low : random.nextLong(low, high + 1);
    }

    public <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    public double fraction() {
        return random.nextDouble();
    }

    public long number() {
        return random.nextLong();
    }

    // ---- history ----

    /** Writes a line into the history. */
    public void note(String who, Supplier<String> what) {
        if (recording) {
            history.add("%9.4f s  %-6s  %s".formatted((double) now / SECOND, who, what.get()));
        }
    }

    public String history() {
        return String.join("\n", history);
    }

    /** Something that will happen. */
    public final class Event implements Comparable<Event> {

        private final long at;
        private final long order;
        private final @Nullable SimProcess process;
        private final Runnable action;
        private final boolean daemon;
        private boolean over;

        private Event(long at, long order, @Nullable SimProcess process, Runnable action, boolean daemon) {
            this.at = at;
            this.order = order;
            this.process = process;
            this.action = action;
            this.daemon = daemon;
        }

        public void cancel() {
            end();
        }

        /** Tells whether it was still to happen. */
        private boolean end() {
            if (over) {
                return false;
            }
            over = true;
            awaited -= weight();
            return true;
        }

        private int weight() {
            return daemon ? 0 : 1;
        }

        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(at, other.at);
            return byTime == 0 ? Long.compare(order, other.order) : byTime;
        }
    }
}
