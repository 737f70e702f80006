package io.surewrite.cql.clock;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.cql.ClockOffset;
import io.surewrite.cql.ClockReport;
import io.surewrite.cql.ClockReport.NodeClock;
import io.surewrite.cql.WriteTimestamps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures how far the clocks of the nodes are from the clock that stamps the writes of one session, and refuses what
 * rests on clocks while they are known to be wrong. There is one for each {@link WriteTimestamps}.
 *
 * <p>A node that says "it is s" between two readings a and b of our clock is ahead by at least s − b and at most s + 1 ms −
 * a, however slow the machine or the network is. Only an offset that is too large over this whole interval counts, so that
 * load may hide a wrong clock for a while, and never accuses a right one.
 *
 * <p>Offsets are kept against the monotonic clock, which is never set: so the nodes can be compared with each other while
 * our own clock jumps, and one reading of both clocks shows such a jump without a request. The state is changed on one
 * thread, that of the {@link ClockTime}; who asks for a {@link ClockCheck} reads one field.
 */
public final class ClockGuard implements WriteTimestamps.ClockWatch, ClockCheck, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ClockGuard.class);

    /** How often the machine's own clock is looked at, and the list of nodes. Nothing is sent for that. */
    private static final Duration BEAT = Duration.ofSeconds(1);

    /** The time to the next measurement while something is wrong or unknown. */
    private static final Duration SOON = Duration.ofSeconds(5);

    /** What has no answer by then stays unknown. */
    private static final Duration LONGEST_ROUND = Duration.ofSeconds(10);

    private static final Duration LEAP = Duration.ofMillis(100);

    /** Another reading would hardly tell more. */
    private static final long NARROW = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int READINGS = 5;

    /** More than any clock runs fast or slow: an offset loses so much of its precision as time goes by. */
    private static final int DRIFT_PARTS = 1000;

    static final String MAX_OFFSET = "surewrite.clock.max-offset";

    private final LongSupplier wallMicros;
    private final Map<String, Check> checks = new LinkedHashMap<>();
    private volatile ClockReport report = ClockReport.NOTHING;
    private volatile @Nullable String refusal;
    private volatile @Nullable Watch watch;

    /**
     * The guard of a clock.
     *
     * @param timestamps those that come from it
     * @return the one guard for them
     */
    public static ClockGuard of(WriteTimestamps timestamps) {
        return (ClockGuard) timestamps.watch(ClockGuard::new);
    }

    /**
     * @param wallMicros the clock that stamps writes
     */
    ClockGuard(LongSupplier wallMicros) {
        this.wallMicros = wallMicros;
    }

    /** A setting that says how far clocks may be apart. */
    private static final class Check implements ClockCheck {

        private final String setting;
        private final Duration margin;
        private final Function<ClockRules, @Nullable String> rule;
        private volatile @Nullable String problem;

        private Check(String setting, Duration margin, Function<ClockRules, @Nullable String> rule) {
            this.setting = setting;
            this.margin = margin;
            this.rule = rule;
        }

        @Override
        public @Nullable String problem() {
            return problem;
        }

        private void judge(ClockRules measured) {
            String found = rule.apply(measured);
            problem = found == null ? null : "%s, and %s is %s".formatted(found, setting, text(margin));
        }
    }

    // ---- what features ask ----

    /**
     * A check of the nodes' clocks against each other.
     *
     * @param setting the property that names the margin
     * @param margin how far they may be apart
     * @return has a problem while two of them are known to be further apart
     */
    public ClockCheck betweenNodes(String setting, Duration margin) {
        return check(setting, margin, measured -> measured.nodesBeyond(margin));
    }

    /**
     * A check of all clocks against each other, the nodes' and that of this process.
     *
     * @param setting the property that names the margin
     * @param margin how far any two may be apart
     * @return has a problem while two of them are known to be further apart
     */
    public ClockCheck betweenMachines(String setting, Duration margin) {
        return check(setting, margin, measured -> measured.anyBeyond(margin));
    }

    /** {@return has a problem while writes of this process would get a wrong timestamp, and are to be refused for it} */
    public ClockCheck ofWrites() {
        return this;
    }

    @Override
    public @Nullable String problem() {
        return refusal;
    }

    @Override
    public long longestLead() {
        Watch running = watch;
        ClockSettings settings = running == null ? ClockSettings.defaults() : running.settings;
        return settings.refuseWrites()
                ? TimeUnit.NANOSECONDS.toMicros(
                        settings.maxOffset().multipliedBy(2).toNanos())
                : Long.MAX_VALUE / 2;
    }

    private synchronized ClockCheck check(
            String setting, Duration margin, Function<ClockRules, @Nullable String> rule) {
        return checks.computeIfAbsent(setting + " " + margin, key -> {
            Check made = new Check(setting, margin, rule);
            made.judge(new ClockRules(report.nodes()));
            Watch running = watch;
            if (made.problem != null && running != null) {
                running.time.after(0, running::hurry); // the last report does not name it
            }
            return made;
        });
    }

    /** {@return whether it measures the nodes of a session} */
    public boolean isStarted() {
        return watch != null;
    }

    /** {@return what was found by the last measurement} */
    public ClockReport report() {
        return report;
    }

    // ---- beginning and end ----

    /**
     * Begins to measure the nodes of a session: now, and from time to time until the session or the guard is closed.
     *
     * @param session the session, whose writes get their timestamps from the clock of this guard
     * @param settings how to measure
     * @param listener hears of each measurement
     * @return completes after the first one
     */
    public CompletionStage<ClockReport> start(
            CqlSession session, ClockSettings settings, Consumer<ClockReport> listener) {
        return start(
                new SessionNodeClocks(session),
                ClockTime.ofSystem(wallMicros),
                settings,
                new Changes().andThen(listener));
    }

    synchronized CompletionStage<ClockReport> start(
            NodeClocks nodes, ClockTime time, ClockSettings settings, Consumer<ClockReport> listener) {
        close();
        checks.put(
                MAX_OFFSET,
                new Check(MAX_OFFSET, settings.maxOffset(), measured -> measured.processBeyond(settings.maxOffset())));
        Watch started = new Watch(nodes, time, settings, listener);
        watch = started;
        time.after(0, started::beat);
        return started.first;
    }

    /** Ends the measurements. What was found last stays. */
    @Override
    public synchronized void close() {
        Watch running = watch;
        watch = null;
        if (running != null) {
            running.time.close();
        }
    }

    private void publish(List<NodeClock> nodes, Watch by) {
        ClockReport measured;
        synchronized (this) {
            if (watch != by) {
                return;
            }
            Map<String, String> problems = new TreeMap<>();
            ClockRules found = new ClockRules(nodes);
            for (Check check : checks.values()) {
                check.judge(found);
                String problem = check.problem;
                if (problem != null) {
                    problems.put(check.setting, problem);
                }
            }
            refusal = by.settings.refuseWrites() ? problems.get(MAX_OFFSET) : null;
            measured = new ClockReport(nodes, problems);
            report = measured;
        }
        try {
            by.listener.accept(measured);
        } catch (RuntimeException failure) {
            log.warn("A listener failed on a measurement of the clocks", failure);
        }
        by.first.complete(measured);
    }

    /** Logs what has changed since it was called last. */
    private static final class Changes implements Consumer<ClockReport> {

        private Set<String> broken = Set.of();

        @Override
        public void accept(ClockReport measured) {
            measured.problems().forEach((setting, problem) -> {
                if (!broken.contains(setting)) {
                    log.warn("Clocks are wrong: {}. What rests on that begins nothing new until it is right", problem);
                }
            });
            for (String setting : broken) {
                if (!measured.problems().containsKey(setting)) {
                    log.info("Clocks are right again, as far as {} goes", setting);
                }
            }
            broken = measured.problems().keySet();
        }
    }

    /** What was measured of a node: how far it is ahead of the monotonic clock. */
    private record Known(ClockOffset offset, long at) {

        ClockOffset at(long now) {
            return offset.widened((now - at) / DRIFT_PARTS);
        }

        /** What is known stays until something more precise is known, or something that contradicts it. */
        Known or(Known newer, long now) {
            ClockOffset old = at(now);
            return newer.offset.width() <= old.width() || !newer.offset.overlaps(old) ? newer : this;
        }
    }

    /** The measurements of one session. Only the thread of its {@link ClockTime} changes its state. */
    private final class Watch {

        private final NodeClocks nodes;
        private final ClockTime time;
        private final ClockSettings settings;
        private final Consumer<ClockReport> listener;
        private final CompletableFuture<ClockReport> first = new CompletableFuture<>();
        private final long firstNanos;
        private final long firstMicros;
        private Map<String, Known> known = new HashMap<>();

        /** How far our clock was ahead of the monotonic one when it was judged last. */
        private ClockOffset lead = ClockOffset.UNKNOWN;

        private long nextRoundAt;
        private @Nullable Round round;

        private Watch(NodeClocks nodes, ClockTime time, ClockSettings settings, Consumer<ClockReport> listener) {
            this.nodes = nodes;
            this.time = time;
            this.settings = settings;
            this.listener = listener;
            this.firstNanos = time.nanos();
            this.firstMicros = time.wallMicros();
        }

        private void beat() {
            if (watch != this) {
                return;
            }
            if (nodes.isClosed()) {
                close();
                return;
            }
            try {
                if (round == null && isDue()) {
                    new Round().begin();
                }
            } finally {
                time.after(BEAT.toNanos(), this::beat);
            }
        }

        private void hurry() {
            nextRoundAt = nanos();
        }

        private boolean isDue() {
            if (leadNow().minus(lead).isBeyond(LEAP)) {
                // The machine's clock was set; or it slept, and the monotonic clock stood still.
                known.clear();
                return true;
            }
            return nanos() - nextRoundAt >= 0 || !nodes.nodes().equals(known.keySet());
        }

        private long nanos() {
            return time.nanos() - firstNanos;
        }

        /** Reads both clocks at once, or as nearly so as the machine lets it. */
        private ClockOffset leadNow() {
            ClockOffset best = ClockOffset.UNKNOWN;
            for (int reading = 0; reading < READINGS; reading++) {
                long before = nanos();
                long wall = TimeUnit.MICROSECONDS.toNanos(time.wallMicros() - firstMicros);
                ClockOffset read = new ClockOffset(wall - nanos(), wall + 1_000 - before);
                best = read.width() < best.width() ? read : best;
            }
            return best;
        }

        /** One measurement of all nodes. */
        private final class Round {

            private final ClockOffset leadBefore = leadNow();
            private final Set<String> asked = new TreeSet<>(nodes.nodes());
            private final Map<String, Known> found = new HashMap<>();
            private int pending = asked.size();
            private boolean judged;

            private void begin() {
                round = this;
                asked.forEach(node -> ask(node, 1));
                time.after(LONGEST_ROUND.toNanos(), this::judge);
                if (asked.isEmpty()) {
                    judge();
                }
            }

            private void ask(String node, int reading) {
                long before = nanos();
                var unused = CompletableFuture.completedFuture(node)
                        .thenCompose(nodes::millisOf) // what it throws is an answer, too
                        .whenComplete((millis, failure) -> {
                            long after = nanos();
                            time.after(0, () -> answered(node, reading, millis, failure, before, after));
                        });
            }

            private void answered(
                    String node,
                    int reading,
                    @Nullable Long millis,
                    @Nullable Throwable failure,
                    long before,
                    long after) {
                if (judged) {
                    return;
                }
                if (millis == null) {
                    log.debug("Node {} does not tell its time", node, failure);
                } else {
                    long shown = TimeUnit.MICROSECONDS.toNanos(TimeUnit.MILLISECONDS.toMicros(millis) - firstMicros);
                    ClockOffset read = ClockOffset.measured(shown, before, after);
                    found.merge(
                            node,
                            new Known(read, after),
                            (best, other) -> other.offset.width() < best.offset.width() ? other : best);
                }
                Known best = found.get(node);
                if (reading < READINGS && (best == null || best.offset.width() > NARROW)) {
                    ask(node, reading + 1);
                } else if (--pending == 0) {
                    judge();
                }
            }

            private void judge() {
                if (judged || watch != Watch.this) {
                    return;
                }
                judged = true;
                round = null;
                lead = leadNow();
                if (lead.minus(leadBefore).isBeyond(LEAP)) {
                    known.clear();
                    new Round().begin();
                    return;
                }
                if (asked.isEmpty()) {
                    // No node to ask: what was known of our own clock stays so.
                    nextRoundAt = nanos() + SOON.toNanos();
                    first.complete(report);
                    return;
                }
                long now = nanos();
                Map<String, Known> merged = new HashMap<>();
                List<NodeClock> clocks = new ArrayList<>();
                for (String node : asked) {
                    Known before = known.getOrDefault(node, new Known(ClockOffset.UNKNOWN, now));
                    Known newest = before.or(found.getOrDefault(node, before), now);
                    merged.put(node, newest);
                    clocks.add(new NodeClock(node, newest.at(now).minus(lead)));
                }
                known = merged;
                publish(clocks, Watch.this);
                boolean calm = report.problems().isEmpty() && report.isComplete();
                nextRoundAt =
                        now + (calm || settings.interval().compareTo(SOON) < 0 ? settings.interval() : SOON).toNanos();
            }
        }
    }

    private static String text(Duration duration) {
        return duration.toMillis() % 1000 == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
    }
}
