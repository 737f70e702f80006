package io.surewrite.autoconfigure;

import io.surewrite.schema.TablesInUse;
import io.surewrite.schema.TablesInUse.Finding;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * What endangers sure writes in the tables and keyspaces in use. It is {@code DEGRADED}, which by Spring Boot's defaults
 * leaves the application's own status alone, because taking an instance away does not bring a replica back.
 */
record SureTablesHealthIndicator(TablesInUse tables) implements HealthIndicator {

    @Override
    public Health health() {
        Map<String, List<String>> bySubject = tables.findings().stream()
                .collect(Collectors.groupingBy(
                        Finding::subject, TreeMap::new, Collectors.mapping(Finding::problem, Collectors.toList())));
        return bySubject.isEmpty()
                ? Health.up().build()
                : Health.status("DEGRADED").withDetail("problems", bySubject).build();
    }
}
