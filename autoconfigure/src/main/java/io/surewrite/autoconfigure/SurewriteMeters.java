package io.surewrite.autoconfigure;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.internal.clock.ClockGuard.ClockReport;
import io.surewrite.internal.clock.ClockGuard.ClockReport.ClockOffset;
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

/** Gauges, which appear when there is something to show. What they mean stands on the page on meters. */
final class SurewriteMeters {

    private final MeterRegistry registry;
    private final Map<String, ClockReport> clocks = new ConcurrentHashMap<>();
    private final Map<List<String>, Boolean> nodes = new ConcurrentHashMap<>();

    SurewriteMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    static MeterBinder leasesHeld(Supplier<Number> held) {
        return registry -> gauge(registry, "lease.held", null, held);
    }

    static MeterBinder backlog(WriteBacklog backlog, Clock clock) {
        return registry -> {
            gauge(registry, "backlog.size", null, () -> backlog.size().entries());
            gauge(registry, "backlog.bytes", "bytes", () -> backlog.size().bytes());
            gauge(registry, "backlog.dead", null, () -> backlog.size().deadLetters());
            gauge(registry, "backlog.lost", null, () -> backlog.size().lost());
            Supplier<Number> age = () -> backlog.size().age(clock.instant()).toSeconds();
            gauge(registry, "backlog.oldest.age", "seconds", age);
        };
    }

    void circuit(String name, Supplier<? extends Enum<?>> state) {
        for (String each : List.of("closed", "open", "half-open")) {
            Supplier<Number> is = () -> each.equals(Observed.lowerCase(state.get())) ? 1 : 0;
            gauge(registry, "circuit", null, is, "circuit", name, "state", each);
        }
    }

    void measured(String session, ClockReport report) {
        if (clocks.put(session, report) == null) {
            Supplier<Number> problems = () -> report(session).problems().size();
            gauge(registry, "clock.problems", null, problems, "session", session);
        }
        for (String node : report.nodes().keySet()) {
            if (nodes.putIfAbsent(List.of(session, node), true) == null) {
                clock("clock.offset", session, node, ClockOffset::seconds);
                clock("clock.offset.uncertainty", session, node, ClockOffset::uncertaintySeconds);
            }
        }
    }

    private void clock(String name, String session, String node, ToDoubleFunction<ClockOffset> value) {
        Supplier<Number> now =
                () -> value.applyAsDouble(report(session).nodes().getOrDefault(node, ClockOffset.UNKNOWN));
        gauge(registry, name, "seconds", now, "session", session, "node", node);
    }

    private ClockReport report(String session) {
        return Objects.requireNonNull(clocks.get(session));
    }

    private static void gauge(
            MeterRegistry registry, String name, @Nullable String unit, Supplier<Number> value, String... tags) {
        try {
            Gauge.builder("surewrite." + name, value)
                    .baseUnit(unit)
                    .tags(tags)
                    .strongReference(true)
                    .register(registry);
        } catch (RuntimeException refused) { // by a filter of the application: a write may be waiting
            LoggerFactory.getLogger(SurewriteMeters.class).warn("The meter surewrite.{} is not there", name, refused);
        }
    }
}
