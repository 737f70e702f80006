package io.surewrite.actuate;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.surewrite.cql.ClockOffset;
import io.surewrite.cql.ClockReport;
import io.surewrite.cql.ClockReport.NodeClock;
import io.surewrite.cql.FailureKind;
import io.surewrite.cql.WriteListener;
import io.surewrite.unique.UniqueListener;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/**
 * Counts and measures what all features do: {@link SurewriteMeter} has the list. What takes time from a beginning to an end,
 * {@link SurewriteObservations} measures.
 */
public final class SurewriteMeters implements WriteListener, UniqueListener {

    private final MeterRegistry registry;
    private final Map<String, WriteMeters> writes = new ConcurrentHashMap<>();
    private final Map<String, String> circuits = new ConcurrentHashMap<>();
    private final Map<String, ClockReport> clocks = new ConcurrentHashMap<>();
    private final Map<List<String>, Boolean> nodes = new ConcurrentHashMap<>();

    /**
     * Creates the meters; each appears when there is something to measure.
     *
     * @param registry holds the meters
     */
    public SurewriteMeters(MeterRegistry registry) {
        this.registry = registry;
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
            if (wasUnknown && (end == WriteListener.End.SUCCEEDED || end == WriteListener.End.REJECTED)) {
                meters.settled().increment();
            }
        }
    }

    /** The meters of one operation, looked up once. */
    private record WriteMeters(Counter attempts, Counter settled) {}

    private WriteMeters writeMeters(String operation) {
        return new WriteMeters(
                SurewriteMeter.WRITE_ATTEMPTS.counter(registry, operation),
                SurewriteMeter.WRITE_SETTLED.counter(registry, operation));
    }

    // Circuit breakers

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
            SurewriteMeter.CIRCUIT.gauge(
                    registry, () -> state.equals(circuits.get(circuit)) ? 1 : 0, circuit, LowerCase.of(state));
        }
    }

    // Unique values

    @Override
    public void claimed(String constraint) {
        count(SurewriteMeter.UNIQUE_CLAIM, constraint);
    }

    @Override
    public void duplicate(String constraint) {
        count(SurewriteMeter.UNIQUE_DUPLICATE, constraint);
    }

    @Override
    public void takenOver(String constraint, Fence fence) {
        count(SurewriteMeter.UNIQUE_TAKEOVER, constraint, LowerCase.of(fence));
    }

    // Clocks

    /**
     * Shows clocks.
     *
     * @param session the name of the session's bean
     * @param report what is known
     */
    public void measured(String session, ClockReport report) {
        if (clocks.put(session, report) == null) {
            SurewriteMeter.CLOCK_PROBLEMS.gauge(
                    registry, () -> report(session).problems().size(), session);
        }
        for (NodeClock node : report.nodes()) {
            if (nodes.putIfAbsent(List.of(session, node.node()), true) == null) {
                clock(SurewriteMeter.CLOCK_OFFSET, session, node.node(), ClockOffset::seconds);
                clock(SurewriteMeter.CLOCK_OFFSET_UNCERTAINTY, session, node.node(), ClockOffset::uncertaintySeconds);
            }
        }
    }

    private void clock(SurewriteMeter meter, String session, String node, ToDoubleFunction<ClockOffset> value) {
        meter.gauge(registry, () -> value.applyAsDouble(offset(session, node)), session, node);
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

    private void count(SurewriteMeter meter, String... values) {
        meter.counter(registry, values).increment();
    }
}
