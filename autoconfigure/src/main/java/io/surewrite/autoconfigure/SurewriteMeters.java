package io.surewrite.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.backlog.WriteBacklog.BacklogSize;
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

/** Gauges: of the backlog, and of what comes to be while the application runs, which appear when there is something to show. */
final class SurewriteMeters {

    private final MeterRegistry registry;
    private final Map<String, ClockReport> clocks = new ConcurrentHashMap<>();
    private final Map<List<String>, Boolean> nodes = new ConcurrentHashMap<>();

    SurewriteMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    static MeterBinder backlog(WriteBacklog backlog, Clock clock) {
        Map<SurewriteMeter, ToDoubleFunction<BacklogSize>> values = Map.of(
                SurewriteMeter.BACKLOG_SIZE, BacklogSize::entries,
                SurewriteMeter.BACKLOG_BYTES, BacklogSize::bytes,
                SurewriteMeter.BACKLOG_DEAD, BacklogSize::deadLetters,
                SurewriteMeter.BACKLOG_LOST, BacklogSize::lost,
                SurewriteMeter.BACKLOG_OLDEST_AGE,
                        size -> size.age(clock.instant()).toSeconds());
        return registry ->
                values.forEach((meter, value) -> meter.gauge(registry, () -> value.applyAsDouble(backlog.size())));
    }

    void circuit(String name, Supplier<? extends Enum<?>> state) {
        for (String each : List.of("closed", "open", "half-open")) {
            SurewriteMeter.CIRCUIT.gauge(
                    registry, () -> each.equals(Observed.lowerCase(state.get())) ? 1 : 0, name, each);
        }
    }

    void measured(String session, ClockReport report) {
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
}
