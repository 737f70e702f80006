package io.surewrite.actuate;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.surewrite.backlog.BacklogListener;
import io.surewrite.backlog.DeadLetter;
import io.surewrite.cql.ClockListener;
import io.surewrite.cql.ClockOffset;
import io.surewrite.cql.ClockReport;
import io.surewrite.cql.ClockReport.NodeClock;
import io.surewrite.cql.FailureKind;
import io.surewrite.cql.WriteListener;
import io.surewrite.journal.JournalListener;
import io.surewrite.lease.AcquireOutcome;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseListener;
import io.surewrite.lease.LossReason;
import io.surewrite.lease.ReleaseOutcome;
import io.surewrite.overwrite.OverwriteKind;
import io.surewrite.overwrite.OverwriteListener;
import io.surewrite.unique.UniqueListener;
import io.surewrite.unique.UniqueReport;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import org.springframework.util.function.SingletonSupplier;

/**
 * The meters of all features. Values, and names of leases, are no tags: there may be any number of them.
 *
 * <ul>
 *   <li>Logical writes, by operation: {@code surewrite.write.attempts}, {@code .settled} (unknown at first, then decided),
 *       {@code .unknown}, {@code .exhausted} and {@code .kept} (on disk, for later). {@link SurewriteObservations} times them.
 *   <li>Circuit breakers: {@code surewrite.circuit}, 1 for the state that a circuit is in.
 *   <li>Leases: {@code surewrite.lease.acquire} (time waited, by outcome), {@code .hold} (time held, by how it ended), {@code
 *       .renew}, {@code .lost} (by reason), {@code .release} (by outcome) and {@code .swept} (rows).
 *   <li>Unique values: {@code surewrite.unique.call} (time taken, by operation and outcome), {@code .claim} and {@code
 *       .duplicate} (by constraint), {@code .takeover} (by constraint and fence), {@code .slow} (by operation), and {@code
 *       .scan.progress}, {@code .scan.rows} and {@code .scan.duplicates} of the last scan of a table (by constraint).
 *   <li>Kept writes, by operation: {@code surewrite.backlog.kept}, {@code .not.kept}, {@code .replayed} (with the time waited),
 *       {@code .expired} and {@code .died} (by reason).
 *   <li>Overwrites: {@code surewrite.overwrite.size}, by table and kind.
 *   <li>The journal: {@code surewrite.journal.partition}, how many entries a partition had when the next one began, and {@code
 *       surewrite.journal.wide}, how many of them had too many.
 *   <li>Clocks: {@code surewrite.clock.offset}, by how many seconds the clock of a node is ahead of this process's, and {@code
 *       surewrite.clock.offset.uncertainty}, how far that may be wrong, both by session and node; not a number while it is not
 *       known. {@code surewrite.clock.problems} counts the settings that the clocks of a session break.
 * </ul>
 */
public final class SurewriteMeters
        implements WriteListener,
                LeaseListener,
                UniqueListener,
                BacklogListener,
                OverwriteListener,
                JournalListener,
                ClockListener {

    /** The circuit of an application that has only one. */
    private static final String ALL = "application";

    private final MeterRegistry registry;
    private final Map<String, WriteMeters> writes = new ConcurrentHashMap<>();
    private final Map<String, String> circuits = new ConcurrentHashMap<>();
    private final Map<String, UniqueReport> scans = new ConcurrentHashMap<>();
    private final MeterProvider<DistributionSummary> overwrites;
    private final SingletonSupplier<JournalMeters> journal = SingletonSupplier.of(JournalMeters::new);
    private final Map<String, ClockReport> clocks = new ConcurrentHashMap<>();
    private final Map<List<String>, Boolean> nodes = new ConcurrentHashMap<>();

    /**
     * Creates the meters; each appears when there is something to measure.
     *
     * @param registry holds the meters
     */
    public SurewriteMeters(MeterRegistry registry) {
        this.registry = registry;
        this.overwrites = DistributionSummary.builder("surewrite.overwrite.size")
                .description("The size of the values of one overwrite")
                .baseUnit("bytes")
                .withRegistry(registry);
    }

    // Logical writes

    @Override
    public WriteListener.Call started(String operation) {
        return new CountedCall(writes.computeIfAbsent(operation, this::writeMeters));
    }

    private static final class CountedCall implements WriteListener.Call {

        private final WriteMeters meters;
        private boolean wasUnknown;

        private CountedCall(WriteMeters meters) {
            this.meters = meters;
        }

        @Override
        public void attemptFailed(int attempt, FailureKind kind, Throwable failure) {
            wasUnknown |= kind == FailureKind.UNKNOWN || kind == FailureKind.DECIDED;
        }

        @Override
        public void ended(WriteListener.End end, int attempts) {
            meters.attempts().increment(attempts);
            switch (end) {
                case SUCCEEDED, REJECTED -> meters.settled().increment(wasUnknown ? 1 : 0);
                case UNKNOWN -> meters.unknown().increment();
                case EXHAUSTED -> meters.exhausted().increment();
                case KEPT -> meters.kept().increment();
                case FAILED -> {}
            }
        }
    }

    /** The meters of one operation, looked up once. */
    private record WriteMeters(Counter attempts, Counter settled, Counter unknown, Counter exhausted, Counter kept) {}

    private WriteMeters writeMeters(String operation) {
        return new WriteMeters(
                counter("surewrite.write.attempts", "operation", operation),
                counter("surewrite.write.settled", "operation", operation),
                counter("surewrite.write.unknown", "operation", operation),
                counter("surewrite.write.exhausted", "operation", operation),
                counter("surewrite.write.kept", "operation", operation));
    }

    // Circuit breakers

    @Override
    public void circuitChanged(String state) {
        circuitChanged(ALL, state);
    }

    @Override
    public void circuitChanged(String circuit, String state) {
        if (circuits.put(circuit, state) == null) {
            show(circuit);
        }
    }

    @Override
    public void circuitMade(String circuit) {
        if (circuits.putIfAbsent(circuit, "CLOSED") == null) {
            show(circuit);
        }
    }

    private void show(String circuit) {
        for (String state : List.of("CLOSED", "OPEN", "HALF_OPEN")) {
            Gauge.builder("surewrite.circuit", () -> state.equals(circuits.get(circuit)) ? 1 : 0)
                    .description("1 for the state that the circuit breaker is in")
                    .tags("circuit", circuit, "state", state)
                    .register(registry);
        }
    }

    // Leases

    @Override
    public void acquired(Lease lease, Duration waited, boolean handedOver) {
        time("surewrite.lease.acquire", waited, "outcome", handedOver ? "handed-over" : "acquired");
    }

    @Override
    public void notAcquired(String name, Duration waited, AcquireOutcome outcome) {
        time("surewrite.lease.acquire", waited, "outcome", tag(outcome));
    }

    @Override
    public void renewed(String name, boolean confirmed) {
        count("surewrite.lease.renew", "confirmed", Boolean.toString(confirmed));
    }

    @Override
    public void lost(Lease lease, LossReason reason, Duration held) {
        count("surewrite.lease.lost", "reason", tag(reason));
        time("surewrite.lease.hold", held, "end", "lost");
    }

    @Override
    public void released(Lease lease, ReleaseOutcome outcome, Duration held) {
        count("surewrite.lease.release", "outcome", tag(outcome));
        if (outcome != ReleaseOutcome.NOT_HELD) {
            time("surewrite.lease.hold", held, "end", "released");
        }
    }

    @Override
    public void swept(int rows) {
        counter("surewrite.lease.swept").increment(rows);
    }

    // Unique values

    @Override
    public void ended(String operation, UniqueListener.End end, Duration took) {
        time("surewrite.unique.call", took, "operation", operation, "outcome", tag(end));
    }

    @Override
    public void claimed(String constraint) {
        count("surewrite.unique.claim", "constraint", constraint);
    }

    @Override
    public void duplicate(String constraint) {
        count("surewrite.unique.duplicate", "constraint", constraint);
    }

    @Override
    public void takenOver(String constraint, Fence fence) {
        count("surewrite.unique.takeover", "constraint", constraint, "fence", tag(fence));
    }

    @Override
    public void slow(String operation) {
        count("surewrite.unique.slow", "operation", operation);
    }

    @Override
    public void scanned(UniqueReport soFar) {
        if (scans.put(soFar.constraint(), soFar) == null) {
            scan("surewrite.unique.scan.progress", soFar.constraint(), UniqueReport::progress);
            scan("surewrite.unique.scan.rows", soFar.constraint(), UniqueReport::rows);
            scan("surewrite.unique.scan.duplicates", soFar.constraint(), UniqueReport::duplicates);
        }
    }

    private void scan(String name, String constraint, ToDoubleFunction<UniqueReport> value) {
        Gauge.builder(name, () -> value.applyAsDouble(Objects.requireNonNull(scans.get(constraint))))
                .tag("constraint", constraint)
                .register(registry);
    }

    // Kept writes

    @Override
    public void kept(String operation) {
        count("surewrite.backlog.kept", "operation", operation);
    }

    @Override
    public void notKept(String operation, Throwable why) {
        count("surewrite.backlog.not.kept", "operation", operation);
    }

    @Override
    public void replayed(String operation, Duration waited) {
        time("surewrite.backlog.replayed", waited, "operation", operation);
    }

    @Override
    public void expired(String operation) {
        count("surewrite.backlog.expired", "operation", operation);
    }

    @Override
    public void died(DeadLetter letter) {
        count("surewrite.backlog.died", "operation", letter.operation(), "reason", tag(letter.reason()));
    }

    // Overwrites

    @Override
    public void overwritten(String table, OverwriteKind kind, long bytes) {
        overwrites
                .withTags("table", table, "kind", kind.name().toLowerCase(Locale.ROOT))
                .record((double) bytes);
    }

    // The journal

    @Override
    public void bucketClosed(long entries) {
        journal.obtain().partition.record((double) entries);
    }

    @Override
    public void bucketWide(String entityId, long entries) {
        journal.obtain().wide.increment();
    }

    private final class JournalMeters {

        private final DistributionSummary partition = DistributionSummary.builder("surewrite.journal.partition")
                .description(
                        "Entries of a journal partition when the next one began, counted up to 100,000, the most that is wise")
                .baseUnit("entries")
                .register(registry);
        private final Counter wide = Counter.builder("surewrite.journal.wide")
                .description("Partitions of the journal that had 80,000 entries or more")
                .baseUnit("partitions")
                .register(registry);
    }

    // Clocks

    @Override
    public void measured(String session, ClockReport report) {
        if (clocks.put(session, report) == null) {
            Gauge.builder(
                            "surewrite.clock.problems",
                            () -> report(session).problems().size())
                    .description("Settings that the clocks break")
                    .tag("session", session)
                    .register(registry);
        }
        for (NodeClock node : report.nodes()) {
            if (nodes.putIfAbsent(List.of(session, node.node()), true) == null) {
                clock("", "How far the node's clock is ahead", session, node.node(), ClockOffset::seconds);
                clock(
                        ".uncertainty",
                        "How far the offset may be wrong",
                        session,
                        node.node(),
                        ClockOffset::uncertaintySeconds);
            }
        }
    }

    private void clock(
            String suffix, String description, String session, String node, ToDoubleFunction<ClockOffset> value) {
        Gauge.builder("surewrite.clock.offset" + suffix, () -> value.applyAsDouble(offset(session, node)))
                .description(description)
                .baseUnit("seconds")
                .tags("session", session, "node", node)
                .register(registry);
    }

    private ClockReport report(String session) {
        return Objects.requireNonNull(clocks.get(session));
    }

    private ClockOffset offset(String session, String node) {
        return report(session).nodes().stream()
                .filter(clock -> clock.node().equals(node))
                .findFirst()
                .map(NodeClock::offset)
                .orElse(ClockOffset.UNKNOWN);
    }

    private void count(String name, String... tags) {
        counter(name, tags).increment();
    }

    private Counter counter(String name, String... tags) {
        return registry.counter(name, tags);
    }

    private void time(String name, Duration time, String... tags) {
        registry.timer(name, tags).record(time);
    }

    private static String tag(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
