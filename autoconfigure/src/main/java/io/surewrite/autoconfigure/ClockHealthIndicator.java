package io.surewrite.autoconfigure;

import io.surewrite.internal.clock.ClockGuard.ClockReport;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Whether clocks are right: down while one is known to be further off than a feature in use, or a write, bears. What is
 * not known is neither good nor bad: the status is unknown if that goes for a node and nothing is known to be wrong. It
 * sends nothing itself.
 */
record ClockHealthIndicator(Supplier<Map<String, ClockReport>> reports) implements HealthIndicator {

    @Override
    public Health health() {
        Health.Builder builder = new Health.Builder();
        Map<String, String> problems = new TreeMap<>();
        boolean complete = true;
        for (Map.Entry<String, ClockReport> session : reports.get().entrySet()) {
            ClockReport report = session.getValue();
            Map<String, String> offsets = new TreeMap<>();
            report.nodes().forEach((node, offset) -> offsets.put(node, offset.toString()));
            builder.withDetail(session.getKey(), offsets);
            problems.putAll(report.problems());
            complete &= report.isComplete();
        }
        if (!problems.isEmpty()) {
            return builder.down().withDetail("problems", problems).build();
        }
        return (complete ? builder.up() : builder.unknown()).build();
    }
}
