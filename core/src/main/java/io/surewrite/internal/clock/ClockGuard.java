package io.surewrite.internal.clock;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.internal.clock.ClockGuard.ClockReport.ClockOffset;
import io.surewrite.internal.clock.ClockGuard.ClockReport.NodeClock;
import io.surewrite.write.ClockOffsetException;
import io.surewrite.write.WriteTimestamps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.Assert;

/**
 * Measures how far the clocks of the nodes are from the clock that stamps the writes of one session, and refuses what
 * rests on clocks while they are known to be wrong: past the margin nothing new is acquired, and past the greatest offset
 * no sure write gets a timestamp. There is one for each {@link WriteTimestamps}.
 *
 * <p>A node that says "it is s" between two readings a and b of our clock is ahead by at least s − b and at most s + 1 ms −
 * a, however slow the machine or the network is. Only an offset that is too large over this whole interval counts, so that
 * load may hide a wrong clock for a while, and never accuses a right one.
 *
 * <p>The readings are of the monotonic clock, which is never set: so the nodes can be compared with each other while our
 * own clock jumps, and one reading of both clocks shows such a jump without a request.
 */
public final class ClockGuard implements WriteTimestamps.ClockWatch, AutoCloseable {

    static final String MARGIN = "surewrite.clock.margin";
    static final String MAX_OFFSET = "surewrite.clock.max-offset";

    private static final Logger log = LoggerFactory.getLogger(ClockGuard.class);

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    /** The time to the next measurement while something is wrong or unknown. */
    private static final Duration SOON = Duration.ofSeconds(5);

    /** How often the machine's own clock is read. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private static final Duration LEAP = Duration.ofMillis(100);

    /** Another reading would hardly tell more. */
    private static final long NARROW = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int READINGS = 5;

    private final LongSupplier wallMicros;
    private volatile Settings settings = Settings.defaults();
    private volatile ClockReport report = ClockReport.NOTHING;
    private volatile boolean acquiring;
    private volatile @Nullable Watch watch;

    ClockGuard(LongSupplier wallMicros) {
        this.wallMicros = wallMicros;
    }

    public static ClockGuard of(WriteTimestamps timestamps) {
        return (ClockGuard) timestamps.watch(ClockGuard::new);
    }

    /** {@return has a problem while two clocks, of nodes or of this process, are known to be further apart than the margin} */
    public synchronized ClockCheck ofAcquiring() {
        Watch running = watch;
        if (!acquiring && running != null) {
            running.nextAt = 0; // so that it is told
        }
        acquiring = true;
        judge(report.nodes());
        return () -> report.problems().get(MARGIN);
    }

    /** {@return what is known to be wrong with the clock of this process, so that sure writes are refused} */
    @Override
    public @Nullable String problem() {
        return report.problems().get(MAX_OFFSET);
    }

    @Override
    public long longestLead() {
        return 2 * TimeUnit.NANOSECONDS.toMicros(settings.maxOffset().toNanos());
    }

    /** {@return whether it measures the nodes of a session} */
    public boolean isStarted() {
        return watch != null;
    }

    /** {@return what was found by the last measurement} */
    public ClockReport report() {
        return report;
    }

    /**
     * Begins to measure the nodes of a session: now, and from time to time until the session or the guard is closed.
     *
     * @param session the session, whose writes get their timestamps from the clock of this guard
     * @return completes after the first one
     */
    public CompletionStage<ClockReport> start(CqlSession session, Settings settings, Consumer<ClockReport> listener) {
        return start(new SessionNodeClocks(session), ClockTime.ofSystem(wallMicros), INTERVAL, settings, listener);
    }

    synchronized CompletionStage<ClockReport> start(
            NodeClocks nodes, ClockTime time, Duration interval, Settings settings, Consumer<ClockReport> listener) {
        Watch started = new Watch(nodes, time, interval, listener);
        this.settings = settings;
        watch = started;
        time.after(0, started::look);
        return started.first;
    }

    /** Ends the measurements. What was found last stays. */
    @Override
    public synchronized void close() {
        watch = null;
    }

    /** Judges by what was measured, and logs what has changed. */
    private void judge(List<NodeClock> nodes) {
        Map<String, String> before = report.problems();
        ClockRules measured = new ClockRules(nodes);
        Map<String, String> problems = new TreeMap<>();
        if (acquiring) {
            put(problems, MARGIN, settings.margin(), measured.anyBeyond(settings.margin()));
        }
        put(problems, MAX_OFFSET, settings.maxOffset(), measured.processBeyond(settings.maxOffset()));
        report = new ClockReport(nodes, problems);
        problems.forEach((setting, problem) -> {
            if (!before.containsKey(setting)) {
                log.warn("Clocks are wrong: {}. What rests on that begins nothing new until it is right", problem);
            }
        });
        for (String setting : before.keySet()) {
            if (!problems.containsKey(setting)) {
                log.info("Clocks are right again, as far as {} goes", setting);
            }
        }
    }

    private static void put(Map<String, String> problems, String setting, Duration limit, @Nullable String problem) {
        if (problem != null) {
            String text = limit.toMillis() % 1000 == 0 ? limit.toSeconds() + " s" : limit.toMillis() + " ms";
            problems.put(setting, "%s, and %s is %s".formatted(problem, setting, text));
        }
    }

    private synchronized void publish(List<NodeClock> nodes, Watch by) {
        if (watch == by) {
            judge(nodes);
        }
    }

    /** The measurements of one session, one step after the other. */
    private final class Watch {

        private final NodeClocks nodes;
        private final ClockTime time;
        private final Duration interval;
        private final Consumer<ClockReport> listener;
        private final CompletableFuture<ClockReport> first = new CompletableFuture<>();
        private final long firstNanos;
        private final long firstMicros;

        /** How far the nodes were ahead of the monotonic clock when they answered last. */
        private Map<String, ClockOffset> known = Map.of();

        /** How far our clock was ahead of the monotonic one when the last measurement began. */
        private ClockOffset lead;

        private volatile long nextAt;

        private Watch(NodeClocks nodes, ClockTime time, Duration interval, Consumer<ClockReport> listener) {
            this.nodes = nodes;
            this.time = time;
            this.interval = interval;
            this.listener = listener;
            this.firstNanos = time.nanos();
            this.firstMicros = time.wallMicros();
            this.lead = lead();
        }

        private void look() {
            if (watch == this && nodes.isClosed()) {
                close();
            }
            if (watch == this) {
                var unused = CompletableFuture.completedFuture(this)
                        .thenCompose(Watch::measureIfDue)
                        .whenComplete((done, failure) -> {
                            if (failure != null) {
                                log.error("The clocks could not be watched", failure);
                            }
                            time.after(LOOK.toNanos(), this::look);
                        });
            }
        }

        private CompletionStage<@Nullable Void> measureIfDue() {
            return hasLeapt() || nanos() >= nextAt ? measure() : CompletableFuture.completedFuture(null);
        }

        /** Whether the machine's clock was set; or it slept, and the monotonic clock stood still. */
        private boolean hasLeapt() {
            return lead().minus(lead).isBeyond(LEAP);
        }

        private long nanos() {
            return time.nanos() - firstNanos;
        }

        private long sinceFirst(long micros) {
            return TimeUnit.MICROSECONDS.toNanos(micros - firstMicros);
        }

        private ClockOffset lead() {
            long before = nanos();
            long wall = sinceFirst(time.wallMicros());
            return new ClockOffset(wall - nanos(), wall + 1_000 - before);
        }

        private CompletionStage<@Nullable Void> measure() {
            if (hasLeapt()) {
                known = Map.of();
            }
            lead = lead();
            Map<String, CompletableFuture<ClockOffset>> asked = new TreeMap<>();
            nodes.nodes().forEach(node -> asked.put(node, ask(node, READINGS)));
            return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
                    .thenRun(() -> finish(asked));
        }

        /** Several readings, if they are wide; the narrowest counts. */
        private CompletableFuture<ClockOffset> ask(String node, int readings) {
            long before = nanos();
            return CompletableFuture.completedFuture(node)
                    .thenCompose(nodes::millisOf) // what it throws is an answer, too
                    .handle((millis, failure) -> millis == null
                            ? ClockOffset.UNKNOWN
                            : ClockOffset.measured(sinceFirst(TimeUnit.MILLISECONDS.toMicros(millis)), before, nanos()))
                    .thenCompose(read -> readings == 1 || !read.isKnown() || read.width() <= NARROW
                            ? CompletableFuture.completedFuture(read)
                            : ask(node, readings - 1).thenApply(other -> other.width() < read.width() ? other : read));
        }

        private void finish(Map<String, CompletableFuture<ClockOffset>> asked) {
            if (hasLeapt()) {
                return; // half of it was measured before that: the next look begins anew
            }
            Map<String, ClockOffset> answered = new TreeMap<>();
            asked.forEach((node, answer) -> {
                ClockOffset read = answer.join();
                answered.put(node, read.isKnown() ? read : known.getOrDefault(node, read));
            });
            known = answered;
            ClockOffset now = lead();
            List<NodeClock> clocks = new ArrayList<>();
            known.forEach((node, offset) -> clocks.add(new NodeClock(node, offset.minus(now))));
            if (!clocks.isEmpty()) { // with no node to ask, what was known of our own clock stays so
                publish(clocks, this);
            }
            ClockReport found = report;
            boolean calm = !clocks.isEmpty() && found.problems().isEmpty() && found.isComplete();
            nextAt = nanos() + (calm || interval.compareTo(SOON) < 0 ? interval : SOON).toNanos();
            first.complete(found);
            listener.accept(found);
        }
    }

    /**
     * How far clocks may be apart.
     *
     * @param margin how far any two of them, of nodes or of this process, before no lease is acquired and nothing is claimed
     * @param maxOffset how far the clock of this process may be off before no sure write is begun; at least the margin
     */
    public record Settings(Duration margin, Duration maxOffset) {

        public Settings {
            Assert.isTrue(
                    margin.compareTo(Duration.ofMillis(1)) >= 0,
                    () -> "margin must be at least a millisecond, but is " + margin);
            Assert.isTrue(
                    maxOffset.compareTo(margin) >= 0,
                    () -> "max-offset %s must not be below the margin %s".formatted(maxOffset, margin));
        }

        /** {@return no leases and claims from half a second on, and no sure writes from five seconds on} */
        public static Settings defaults() {
            return new Settings(Duration.ofMillis(500), WriteTimestamps.DEFAULT_MAX_OFFSET);
        }
    }

    /** The clocks of the nodes, as one process reaches them. Simulated in tests. */
    interface NodeClocks {

        /** {@return the nodes that this process talks to} */
        Set<String> nodes();

        /** Asks a node for its time, in whole milliseconds since the epoch. */
        CompletionStage<Long> millisOf(String node);

        /** {@return whether nothing can be asked any more} */
        boolean isClosed();
    }

    /**
     * What a feature asks before it begins something that rests on clocks. It goes by what was measured last: it sends
     * nothing and reads one field.
     */
    @FunctionalInterface
    public interface ClockCheck {

        /** Knows of nothing wrong. */
        ClockCheck NONE = () -> null;

        /** {@return what is known to be wrong with the clocks, or null if nothing is} */
        @Nullable
        String problem();

        /** Refuses an operation if the clocks are known to be wrong. */
        default void require(String operation) {
            String problem = problem();
            if (problem != null) {
                throw new ClockOffsetException(operation, problem);
            }
        }
    }

    /**
     * What is known of the clocks that one session has to do with.
     *
     * @param nodes the nodes that this process talks to, each with the offset of its clock
     * @param problems what is known to be wrong, by the setting that it breaks; empty if nothing is
     */
    public record ClockReport(List<NodeClock> nodes, Map<String, String> problems) {

        /** Before the first measurement. */
        public static final ClockReport NOTHING = new ClockReport(List.of(), Map.of());

        /**
         * The clock of one node.
         *
         * @param offset how far its clock is ahead of this process's
         */
        public record NodeClock(String node, ClockOffset offset) {}

        public ClockReport {
            nodes = List.copyOf(nodes);
            problems = Map.copyOf(problems);
        }

        /** {@return whether the offset of every node is known, and there is one} */
        public boolean isComplete() {
            return !nodes.isEmpty()
                    && nodes.stream().allMatch(node -> node.offset().isKnown());
        }

        /**
         * How far one clock is ahead of another, as far as that is known: at least {@code low} and at most {@code high}
         * nanoseconds. Negative numbers mean behind.
         */
        public record ClockOffset(long low, long high) {

            /** Nothing is known. Far enough from the limits of a long that differences of two do not overflow. */
            public static final ClockOffset UNKNOWN = new ClockOffset(Long.MIN_VALUE / 4, Long.MAX_VALUE / 4);

            /**
             * What an answer tells: the other clock showed this, cut to whole milliseconds, some time between two readings of ours,
             * before we asked and after the answer.
             */
            public static ClockOffset measured(long shown, long before, long after) {
                return new ClockOffset(shown - after, shown + 1_000_000 - before);
            }

            public boolean isKnown() {
                return low > UNKNOWN.low && high < UNKNOWN.high;
            }

            /**
             * Whether the clocks are apart by more than this for certain: the whole interval lies outside. A wide interval proves
             * nothing.
             */
            public boolean isBeyond(Duration margin) {
                return low > margin.toNanos() || high < -margin.toNanos();
            }

            /** {@return the middle of the interval, in seconds; not a number if nothing is known} */
            public double seconds() {
                return isKnown() ? (low / 2 + high / 2) / 1e9 : Double.NaN;
            }

            /** {@return how far {@link #seconds()} may be wrong, in seconds; not a number if nothing is known} */
            public double uncertaintySeconds() {
                return isKnown() ? width() / 2e9 : Double.NaN;
            }

            /** {@return how many seconds the clocks are apart at least} */
            public double leastSeconds() {
                return Math.max(0, Math.max(low, -high)) / 1e9;
            }

            /** {@return how many nanoseconds the bounds are apart} */
            public long width() {
                return high - low;
            }

            /** {@return how far this clock is ahead of another: both offsets are to a third one} */
            public ClockOffset minus(ClockOffset other) {
                return isKnown() && other.isKnown() ? new ClockOffset(low - other.high, high - other.low) : UNKNOWN;
            }

            @Override
            public String toString() {
                return isKnown() ? String.format(Locale.ROOT, "%.3f s to %.3f s", low / 1e9, high / 1e9) : "unknown";
            }
        }
    }
}
