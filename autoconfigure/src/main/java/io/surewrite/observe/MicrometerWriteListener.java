package io.surewrite.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.surewrite.cql.FailureKind;
import io.surewrite.cql.WriteListener;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts logical writes, tagged by operation: {@code surewrite.write.attempts}, {@code .settled} (unknown at first, then
 * decided), {@code .unknown}, {@code .exhausted} and {@code .kept} (on disk, for later); and the state of the circuit breaker, {@code surewrite.circuit}.
 * How long writes take is timed by {@link ObservationWriteListener}.
 */
public final class MicrometerWriteListener implements WriteListener {

    /** The circuit of whoever has only one. */
    private static final String ALL = "application";

    private final MeterRegistry registry;
    private final Map<String, Meters> meters = new ConcurrentHashMap<>();
    private final Map<String, String> circuits = new ConcurrentHashMap<>();

    /**
     * Creates the listener.
     *
     * @param registry holds the meters
     */
    public MicrometerWriteListener(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public Call started(String operation) {
        return new CountedCall(meters.computeIfAbsent(operation, Meters::new));
    }

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
                    .tag("circuit", circuit)
                    .tag("state", state)
                    .register(registry);
        }
    }

    private static final class CountedCall implements Call {

        private final Meters meters;
        private boolean wasUnknown;

        private CountedCall(Meters meters) {
            this.meters = meters;
        }

        @Override
        public void attemptFailed(int attempt, FailureKind kind, Throwable failure) {
            wasUnknown |= kind == FailureKind.UNKNOWN || kind == FailureKind.DECIDED;
        }

        @Override
        public void ended(End end, int attempts) {
            meters.attempts.increment(attempts);
            switch (end) {
                case SUCCEEDED, REJECTED -> meters.settled.increment(wasUnknown ? 1 : 0);
                case UNKNOWN -> meters.unknown.increment();
                case EXHAUSTED -> meters.exhausted.increment();
                case KEPT -> meters.kept.increment();
                case FAILED -> {}
            }
        }
    }

    private final class Meters {

        private final Counter attempts;
        private final Counter settled;
        private final Counter unknown;
        private final Counter exhausted;
        private final Counter kept;

        private Meters(String operation) {
            attempts = counter("attempts", operation);
            settled = counter("settled", operation);
            unknown = counter("unknown", operation);
            exhausted = counter("exhausted", operation);
            kept = counter("kept", operation);
        }

        private Counter counter(String name, String operation) {
            return registry.counter("surewrite.write." + name, "operation", operation);
        }
    }
}
