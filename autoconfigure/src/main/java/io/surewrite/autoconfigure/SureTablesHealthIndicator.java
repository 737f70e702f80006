package io.surewrite.autoconfigure;

import io.surewrite.schema.TablesInUse;
import io.surewrite.schema.TablesInUse.Finding;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * What endangers sure writes in the tables and keyspaces in use. It is {@code DEGRADED}, which by Spring Boot's defaults
 * leaves the application's own status alone, because taking an instance away does not bring a replica back.
 */
final class SureTablesHealthIndicator extends AbstractHealthIndicator {

    private final TablesInUse tables;

    SureTablesHealthIndicator(TablesInUse tables) {
        super("The tables could not be examined");
        this.tables = tables;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Map<String, List<String>> bySubject = tables.findings().stream()
                .collect(Collectors.groupingBy(
                        Finding::subject, TreeMap::new, Collectors.mapping(Finding::problem, Collectors.toList())));
        if (bySubject.isEmpty()) {
            builder.up();
        } else {
            builder.status("DEGRADED").withDetail("problems", bySubject);
        }
    }
}
