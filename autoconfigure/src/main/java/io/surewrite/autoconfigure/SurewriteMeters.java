package io.surewrite.autoconfigure;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.internal.clock.ClockGuard.ClockReport;
import io.surewrite.internal.clock.ClockGuard.ClockReport.ClockOffset;
import io.surewrite.internal.clock.ClockGuard.ClockReport.NodeClock;
import io.surewrite.internal.observe.Observed;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Gauges, which appear when there is something to show. The page on meters lists them, as a test sees to. */
final class SurewriteMeters {

    private final MeterRegistry registry;
    private final Map<String, ClockReport> clocks = new ConcurrentHashMap<>();
    private final Map<List<String>, Boolean> nodes = new ConcurrentHashMap<>();

    SurewriteMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    static MeterBinder leasesHeld(Supplier<Number> held) {
        return registry -> gauge(registry, "lease.held", null, "Leases that this process holds now", held);
    }

    static MeterBinder backlog(WriteBacklog backlog, Clock clock) {
        return registry -> {
            gauge(
                    registry,
                    "backlog.size",
                    null,
                    "Writes that wait for the cluster",
                    () -> backlog.size().entries());
            gauge(
                    registry,
                    "backlog.bytes",
                    "bytes",
                    "How large the kept writes are",
                    () -> backlog.size().bytes());
            gauge(
                    registry,
                    "backlog.dead",
                    null,
                    "Dead letters: kept writes that were given up",
                    () -> backlog.size().deadLetters());
            gauge(
                    registry,
                    "backlog.lost",
                    null,
                    "Kept writes that the disk may have lost or damaged",
                    () -> backlog.size().lost());
            gauge(
                    registry,
                    "backlog.oldest.age",
                    "seconds",
                    "Since when the oldest waiting write is decided",
                    () -> backlog.size().age(clock.instant()).toSeconds());
        };
    }

    void circuit(String name, Supplier<? extends Enum<?>> state) {
        for (String each : List.of("closed", "open", "half-open")) {
            gauge(
                    registry,
                    "circuit",
                    null,
                    "1 for the state that the circuit breaker is in; none without a breaker",
                    () -> each.equals(Observed.lowerCase(state.get())) ? 1 : 0,
                    "circuit",
                    name,
                    "state",
                    each);
        }
    }

    void measured(String session, ClockReport report) {
        if (clocks.put(session, report) == null) {
            gauge(
                    registry,
                    "clock.problems",
                    null,
                    "Limits of clocks that are broken",
                    () -> report(session).problems().size(),
                    "session",
                    session);
        }
        for (NodeClock node : report.nodes()) {
            if (nodes.putIfAbsent(List.of(session, node.node()), true) == null) {
                clock(
                        "clock.offset",
                        "How far the node's clock is ahead of this process's; not a number while unknown",
                        session,
                        node.node(),
                        ClockOffset::seconds);
                clock(
                        "clock.offset.uncertainty",
                        "How far the offset may be wrong",
                        session,
                        node.node(),
                        ClockOffset::uncertaintySeconds);
            }
        }
    }

    private void clock(
            String name, String description, String session, String node, ToDoubleFunction<ClockOffset> value) {
        gauge(
                registry,
                name,
                "seconds",
                description,
                () -> value.applyAsDouble(offset(session, node)),
                "session",
                session,
                "node",
                node);
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

    private static void gauge(
            MeterRegistry registry,
            String name,
            @Nullable String unit,
            String description,
            Supplier<Number> value,
            String... tags) {
        try {
            Gauge.builder("surewrite." + name, value)
                    .description(description)
                    .baseUnit(unit)
                    .tags(tags)
                    .strongReference(true)
                    .register(registry);
        } catch (RuntimeException refused) { // by a filter of the application: a write may be waiting
            LoggerFactory.getLogger(SurewriteMeters.class).warn("The meter {} is not there", name, refused);
        }
    }
}
