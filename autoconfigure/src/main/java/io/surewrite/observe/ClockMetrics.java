package io.surewrite.observe;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.surewrite.cql.ClockListener;
import io.surewrite.cql.ClockOffset;
import io.surewrite.cql.ClockReport;
import io.surewrite.cql.ClockReport.NodeClock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/**
 * Shows the clock of each node: {@code surewrite.clock.offset}, by how many seconds it is ahead of this process's, and
 * {@code surewrite.clock.offset.uncertainty}, how far that may be wrong, both tagged by session and node; not a number
 * while it is not known. {@code surewrite.clock.problems} counts the settings that the clocks of a session break.
 */
public final class ClockMetrics implements ClockListener {

    private static final String OFFSET = "surewrite.clock.offset";

    private final MeterRegistry registry;
    private final Map<String, ClockReport> reports = new ConcurrentHashMap<>();
    private final Map<Series, Boolean> registered = new ConcurrentHashMap<>();

    private record Series(String session, String node) {}

    /**
     * Creates the metrics.
     *
     * @param registry holds the meters
     */
    public ClockMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void measured(String session, ClockReport report) {
        if (reports.put(session, report) == null) {
            Gauge.builder("surewrite.clock.problems", () -> problems(session))
                    .description("Settings that the clocks break")
                    .tag("session", session)
                    .register(registry);
        }
        for (NodeClock node : report.nodes()) {
            if (registered.putIfAbsent(new Series(session, node.node()), true) == null) {
                gauge(OFFSET, "How far the node's clock is ahead", session, node.node(), ClockOffset::seconds);
                gauge(
                        OFFSET + ".uncertainty",
                        "How far the offset may be wrong",
                        session,
                        node.node(),
                        ClockOffset::uncertaintySeconds);
            }
        }
    }

    private void gauge(
            String name, String description, String session, String node, ToDoubleFunction<ClockOffset> value) {
        Gauge.builder(name, () -> value.applyAsDouble(offset(session, node)))
                .description(description)
                .baseUnit("seconds")
                .tag("session", session)
                .tag("node", node)
                .register(registry);
    }

    private int problems(String session) {
        ClockReport report = reports.get(session);
        return report == null ? 0 : report.problems().size();
    }

    private ClockOffset offset(String session, String node) {
        ClockReport report = reports.get(session);
        return report == null
                ? ClockOffset.UNKNOWN
                : report.nodes().stream()
                        .filter(clock -> clock.node().equals(node))
                        .findFirst()
                        .map(NodeClock::offset)
                        .orElse(ClockOffset.UNKNOWN);
    }
}
