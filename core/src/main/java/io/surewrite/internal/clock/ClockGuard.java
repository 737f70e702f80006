package io.surewrite.internal.clock;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.surewrite.internal.clock.ClockGuard.ClockReport.ClockOffset;
import io.surewrite.write.ClockOffsetException;
import io.surewrite.write.WriteTimestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.Assert;

/**
 * Measures how far the clocks of the nodes are from the clock that stamps the writes of one session, and refuses what rests on
 * clocks while they are known to be wrong. There is one for each {@link WriteTimestamps}.
 *
 * <p>A node that says "it is s" between two readings a and b of our clock is ahead by at least s − b and at most s + 1 ms −
 * a, however slow the machine or the network is: only an offset that is too large over this whole interval counts. The readings
 * are of the monotonic clock, which is never set: so our own clock may jump meanwhile, which one reading of both shows.
 */
public final class ClockGuard implements WriteTimestamps.ClockWatch, AutoCloseable {

    static final String MARGIN = "surewrite.clock.margin";
    static final String MAX_OFFSET = "surewrite.clock.max-offset";

    private static final Logger log = LoggerFactory.getLogger(ClockGuard.class);

    /** The machine's own clock is read so often. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private static final Duration LEAP = Duration.ofMillis(100);

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

    /**
     * Has a problem while two clocks, of nodes or of this process, are known to be further apart than the margin; and while ours
     * may be, as it was set and no node has answered since.
     */
    public synchronized ClockCheck ofAcquiring() {
        Watch running = watch;
        if (!acquiring && running != null) {
            running.nextAt = 0; // so that it is told
        }
        acquiring = true;
        judge(report.nodes());
        return () -> {
            Watch own = watch;
            return own != null && Watch.hasLeapt(own.lead, own.lead())
                    ? "the clock of this process was set, or its machine slept, and no node has answered since"
                    : report.problems().get(MARGIN);
        };
    }

    @Override
    public @Nullable String problem() {
        return report.problems().get(MAX_OFFSET);
    }

    @Override
    public long longestLead() {
        return 2 * TimeUnit.NANOSECONDS.toMicros(settings.maxOffset().toNanos());
    }

    public boolean isStarted() {
        return watch != null;
    }

    public ClockReport report() {
        return report;
    }

    /** Measures the nodes of a session until it or the guard is closed. Completes after the first measurement. */
    public CompletionStage<ClockReport> start(CqlSession session, Settings settings, Consumer<ClockReport> listener) {
        return start(new SessionNodeClocks(session, wallMicros), settings, listener);
    }

    synchronized CompletionStage<ClockReport> start(
            NodeClocks clocks, Settings settings, Consumer<ClockReport> listener) {
        Watch started = new Watch(clocks, listener);
        this.settings = settings;
        watch = started;
        clocks.after(0, started::look);
        return started.first;
    }

    /** Ends the measurements. What was found last stays. */
    @Override
    public synchronized void close() {
        watch = null;
    }

    private void judge(Map<String, ClockOffset> nodes) {
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

    /** The measurements of one session, one step after the other. */
    private final class Watch {

        private final NodeClocks clocks;
        private final Consumer<ClockReport> listener;
        private final CompletableFuture<ClockReport> first = new CompletableFuture<>();
        private final long firstNanos;

        /** How far the nodes were ahead of the monotonic clock when they answered last. */
        private Map<String, ClockOffset> known = Map.of();

        /** How far our clock was ahead of the monotonic one when a node had answered last. */
        private volatile ClockOffset lead;

        private volatile long nextAt;

        private Watch(NodeClocks clocks, Consumer<ClockReport> listener) {
            this.clocks = clocks;
            this.listener = listener;
            this.firstNanos = clocks.nanos();
            this.lead = lead();
        }

        private void look() {
            if (watch == this && clocks.isClosed()) {
                close();
            }
            if (watch == this) {
                var unused = CompletableFuture.completedFuture(this)
                        .thenCompose(Watch::measureIfDue)
                        .whenComplete((done, failure) -> {
                            if (failure != null) {
                                log.error("The clocks could not be watched", failure);
                            }
                            clocks.after(LOOK.toNanos(), this::look);
                        });
            }
        }

        private long nanos() {
            return clocks.nanos() - firstNanos;
        }

        private ClockOffset lead() {
            long before = nanos();
            long wall = TimeUnit.MICROSECONDS.toNanos(clocks.wallMicros());
            return new ClockOffset(wall - nanos(), wall + 1_000 - before);
        }

        /** Whether the machine's clock was set; or it slept, and the monotonic clock stood still. */
        private static boolean hasLeapt(ClockOffset before, ClockOffset now) {
            return now.minus(before).isBeyond(LEAP);
        }

        /** An answer that took too long would hide that our clock is wrong. */
        private boolean tells(ClockOffset read) {
            return read.high() - read.low() <= Math.max(settings.margin().toNanos(), LEAP.toNanos());
        }

        private CompletionStage<@Nullable Void> measureIfDue() {
            ClockOffset now = lead();
            if (hasLeapt(lead, now)) {
                known = Map.of();
            } else if (nanos() < nextAt) {
                return CompletableFuture.completedFuture(null);
            }
            Map<String, CompletableFuture<ClockOffset>> asked = new TreeMap<>();
            clocks.nodes().forEach((node, millis) -> asked.put(node, ask(millis)));
            return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
                    .thenRun(() -> finish(now, asked));
        }

        private CompletableFuture<ClockOffset> ask(Supplier<CompletionStage<Long>> node) {
            long before = nanos();
            return CompletableFuture.completedFuture(node)
                    .thenCompose(Supplier::get) // what it throws is an answer, too
                    .handle((millis, failure) -> millis == null
                            ? ClockOffset.UNKNOWN
                            : ClockOffset.measured(TimeUnit.MILLISECONDS.toNanos(millis), before, nanos()));
        }

        private void finish(ClockOffset begun, Map<String, CompletableFuture<ClockOffset>> asked) {
            ClockOffset now = lead();
            if (hasLeapt(begun, now)) {
                return; // half of it was measured before that: the next look begins anew
            }
            Map<String, ClockOffset> answered = new TreeMap<>();
            asked.forEach((node, answer) -> {
                ClockOffset read = answer.join();
                answered.put(node, read.isKnown() ? read : known.getOrDefault(node, read));
            });
            known = answered;
            Map<String, ClockOffset> nodes = new TreeMap<>();
            known.forEach((node, offset) -> nodes.put(node, offset.minus(now)));
            synchronized (ClockGuard.this) {
                if (watch == this
                        && !nodes.isEmpty()) { // with no node to ask, what was known of our own clock stays so
                    judge(nodes);
                }
            }
            if (asked.values().stream().anyMatch(answer -> tells(answer.join().minus(now)))) {
                lead = now;
            }
            ClockReport found = report;
            boolean calm = !nodes.isEmpty() && found.problems().isEmpty() && found.isComplete();
            nextAt = nanos() + clocks.interval(calm).toNanos();
            first.complete(found);
            listener.accept(found);
        }
    }

    /** Past the margin nothing new is acquired or claimed, past the greatest offset of this process no sure write begins. */
    public record Settings(Duration margin, Duration maxOffset) {

        public Settings {
            Assert.isTrue(
                    margin.compareTo(Duration.ofMillis(1)) >= 0,
                    () -> "margin must be at least a millisecond, but is " + margin);
            Assert.isTrue(
                    maxOffset.compareTo(margin) >= 0,
                    () -> "max-offset %s must not be below the margin %s".formatted(maxOffset, margin));
        }

        public static Settings defaults() {
            return new Settings(Duration.ofMillis(500), WriteTimestamps.DEFAULT_MAX_OFFSET);
        }
    }

    /** The clocks of one process and of the nodes, as it reaches them, and a timer. Simulated in tests. */
    interface NodeClocks {

        /** Asks each for its time, in milliseconds since the epoch. */
        Map<String, Supplier<CompletionStage<Long>>> nodes();

        boolean isClosed();

        /** Only differences mean something. */
        long nanos();

        /** The clock that makes the timestamps of writes. */
        long wallMicros();

        void after(long nanos, Runnable task);

        /** How long after a measurement the next one is, while something is wrong or unknown, or nothing is. */
        default Duration interval(boolean calm) {
            return calm ? Duration.ofMinutes(1) : Duration.ofSeconds(5);
        }
    }

    /** What a feature asks before it begins something that rests on clocks: it reads what was measured last. */
    @FunctionalInterface
    public interface ClockCheck {

        ClockCheck NONE = () -> null;

        @Nullable
        String problem();

        default void require(String operation) {
            String problem = problem();
            if (problem != null) {
                throw new ClockOffsetException(operation, problem);
            }
        }
    }

    /** How far nodes are known to be ahead of this process, for one session; its problems by the setting that they break. */
    public record ClockReport(Map<String, ClockOffset> nodes, Map<String, String> problems) {

        public static final ClockReport NOTHING = new ClockReport(Map.of(), Map.of());

        public ClockReport {
            nodes = Collections.unmodifiableMap(new TreeMap<>(nodes));
            problems = Map.copyOf(problems);
        }

        public boolean isComplete() {
            return !nodes.isEmpty() && nodes.values().stream().allMatch(ClockOffset::isKnown);
        }

        /**
         * How far one clock is ahead of another, as far as that is known: at least {@code low} and at most {@code high}
         * nanoseconds. Negative numbers mean behind.
         */
        public record ClockOffset(long low, long high) {

            /** Differences of two that lie between do not overflow; the time since the epoch is one of them until 2116. */
            public static final ClockOffset UNKNOWN = new ClockOffset(Long.MIN_VALUE / 2, Long.MAX_VALUE / 2);

            /** The other clock showed this, cut to whole milliseconds, some time between two readings of ours. */
            public static ClockOffset measured(long shown, long before, long after) {
                return new ClockOffset(shown - after, shown + 1_000_000 - before);
            }

            public boolean isKnown() {
                return low > UNKNOWN.low && high < UNKNOWN.high;
            }

            /** For certain: the whole interval lies outside. */
            public boolean isBeyond(Duration margin) {
                return low > margin.toNanos() || high < -margin.toNanos();
            }

            /** The middle of the interval. */
            public double seconds() {
                return isKnown() ? (low / 2 + high / 2) / 1e9 : Double.NaN;
            }

            public double uncertaintySeconds() {
                return isKnown() ? (high - low) / 2e9 : Double.NaN;
            }

            public double leastSeconds() {
                return Math.max(0, Math.max(low, -high)) / 1e9;
            }

            /** Both offsets are to a third clock. */
            public ClockOffset minus(ClockOffset other) {
                return isKnown() && other.isKnown() ? new ClockOffset(low - other.high, high - other.low) : UNKNOWN;
            }

            @Override
            public String toString() {
                return isKnown() ? String.format(Locale.ROOT, "%.3f s to %.3f s", low / 1e9, high / 1e9) : "unknown";
            }
        }
    }

    /** What measured clocks prove to be wrong. */
    private record ClockRules(Map<String, ClockOffset> nodes) {

        /** More than half of the nodes must call the clock of this process wrong, all in the same direction. */
        @Nullable
        String processBeyond(Duration margin) {
            String ahead = processBeyond("ahead of", offset -> offset.high() < -margin.toNanos());
            return ahead != null ? ahead : processBeyond("behind", offset -> offset.low() > margin.toNanos());
        }

        private @Nullable String processBeyond(String direction, Predicate<ClockOffset> isWitness) {
            List<ClockOffset> witnesses =
                    nodes.values().stream().filter(isWitness).toList();
            return witnesses.size() * 2 <= nodes.size()
                    ? null
                    : String.format(
                            Locale.ROOT,
                            "the clock of this process is at least %.3f s %s those of %d of %d nodes",
                            witnesses.stream()
                                    .mapToDouble(ClockOffset::leastSeconds)
                                    .min()
                                    .orElseThrow(),
                            direction,
                            witnesses.size(),
                            nodes.size());
        }

        /** Compares all clocks, also that of this process, and names the two that are furthest apart. */
        @Nullable
        String anyBeyond(Duration margin) {
            Map<String, ClockOffset> all = new TreeMap<>();
            nodes.forEach((node, offset) -> all.put("node " + node, offset));
            all.put("this process", new ClockOffset(0, 0));
            Map.Entry<String, ClockOffset> fast = Collections.max(
                    all.entrySet(),
                    Comparator.comparingLong(clock -> clock.getValue().low()));
            Map.Entry<String, ClockOffset> slow = Collections.min(
                    all.entrySet(),
                    Comparator.comparingLong(clock -> clock.getValue().high()));
            ClockOffset lead = fast.getValue().minus(slow.getValue());
            if (lead.low() <= margin.toNanos()) {
                return null;
            }
            return String.format(
                    Locale.ROOT,
                    "the clock of %s is at least %.3f s ahead of that of %s",
                    fast.getKey(),
                    lead.leastSeconds(),
                    slow.getKey());
        }
    }

    /** Asks real nodes, and the clocks of this machine. */
    private record SessionNodeClocks(CqlSession session, LongSupplier micros) implements NodeClocks {

        /** Not {@code now()}: its generator hides that the clock stepped back. */
        private static final SimpleStatement SELECT = SimpleStatement.newInstance(
                        "SELECT currentTimestamp() FROM system.local")
                .setConsistencyLevel(DefaultConsistencyLevel.ONE);

        /** Without those of other data centres, to which the driver has no connection. */
        @Override
        public Map<String, Supplier<CompletionStage<Long>>> nodes() {
            return session.getMetadata().getNodes().values().stream()
                    .filter(node -> node.getState() == NodeState.UP && node.getDistance() != NodeDistance.IGNORED)
                    .collect(Collectors.toMap(
                            SessionNodeClocks::name, node -> () -> millisOf(node), (one, other) -> one));
        }

        private CompletionStage<Long> millisOf(Node node) {
            return session.executeAsync(SELECT.setNode(node))
                    .thenApply(rows -> Objects.requireNonNull(rows.one().get(0, Instant.class))
                            .toEpochMilli());
        }

        private static String name(Node node) {
            String address = node.getEndPoint().toString();
            return address.startsWith("/") ? address.substring(1) : address;
        }

        @Override
        public boolean isClosed() {
            return session.isClosed();
        }

        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public long wallMicros() {
            return micros.getAsLong();
        }

        /** By the timer that all futures share: no pool of the application's can be too busy for a short task. */
        @Override
        public void after(long nanos, Runnable task) {
            CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, Runnable::run)
                    .execute(task);
        }
    }
}
