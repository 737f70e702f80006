package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.backlog.WriteBacklog.BacklogSize;
import io.surewrite.internal.clock.ClockGuard.ClockReport;
import io.surewrite.internal.clock.ClockGuard.ClockReport.ClockOffset;
import io.surewrite.internal.observe.Observed;
import io.surewrite.internal.observe.Observed.WriteEnd;
import io.surewrite.lease.InMemoryLeases;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.write.FailureKind;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The page and the dashboard say what the code registers. */
class SurewriteMeterTests {

    private static final Path PAGE = Path.of("..", "docs", "meters.md");
    private static final Path DASHBOARD = Path.of("..", "docs", "grafana-surewrite.json");
    private static final String HEAD = "| meter | kind | unit | tags | what it measures |";

    /** A metric with its labels, as a query of the dashboard names it. */
    private static final Pattern METRIC = Pattern.compile("(surewrite_[a-z_]+)(\\{[^}]*})?");

    private static final Pattern LABEL = Pattern.compile("([a-z_]+)\\s*(?:=~|!~|!=|=)");
    private static final Pattern GROUPED = Pattern.compile("by\\s*\\(([^)]*)\\)");
    private static final Pattern SAMPLE = Pattern.compile("^(surewrite_[a-z_]+)(?:\\{(.*)})? .*$");

    @Test
    void isTheTableOfTheDocs() throws IOException {
        MeterRegistry registry = new SimpleMeterRegistry();
        doEverything(registry);
        Set<String> registered = new TreeSet<>();
        for (Meter meter : registry.getMeters()) {
            Meter.Id id = meter.getId();
            if (id.getType() != Meter.Type.LONG_TASK_TIMER) { // of an observation, named by Micrometer
                registered.add("| `%s` | %s | %s | %s | "
                        .formatted(
                                id.getName(),
                                id.getType() == Meter.Type.TIMER
                                        ? "timer, span"
                                        : id.getType().name().toLowerCase(Locale.ROOT),
                                Objects.requireNonNullElse(id.getBaseUnit(), ""),
                                id.getTags().stream()
                                        .map(Tag::getKey)
                                        .filter(key -> !key.equals("error"))
                                        .sorted()
                                        .map("`%s`"::formatted)
                                        .collect(Collectors.joining(", "))));
            }
        }
        List<String> page = Files.readAllLines(PAGE);
        List<String> table = page.subList(page.indexOf(HEAD) + 2, page.size()).stream()
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        assertThat(table)
                .hasSameSizeAs(registered)
                .allSatisfy(line -> assertThat(registered).anyMatch(line::startsWith));
    }

    @Test
    void hasADashboardThatNamesWhatPrometheusGets() throws IOException {
        Map<String, Set<String>> metrics = scraped();
        List<String> queries = Files.readAllLines(DASHBOARD).stream()
                .filter(line -> line.contains("\"expr\""))
                .toList();
        assertThat(queries).hasSizeGreaterThan(10);
        for (String query : queries) {
            List<String> named = new ArrayList<>();
            Set<String> labels = new TreeSet<>();
            METRIC.matcher(query).results().forEach(metric -> {
                named.add(metric.group(1));
                labels.addAll(labels(metric.group(2)));
            });
            GROUPED.matcher(query)
                    .results()
                    .forEach(by -> labels.addAll(Arrays.asList(by.group(1).split("\\s*,\\s*"))));
            labels.removeAll(Set.of("application", "instance", "le")); // those of the scrape, and of histograms
            assertThat(named).as(query).isNotEmpty().allSatisfy(name -> {
                assertThat(metrics).containsKey(name);
                assertThat(metrics.get(name)).as(name).containsAll(labels);
            });
        }
    }

    /** The names of all samples, each with its labels. */
    private static Map<String, Set<String>> scraped() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        doEverything(registry);
        Map<String, Set<String>> metrics = new TreeMap<>();
        registry.scrape().lines().forEach(line -> {
            Matcher sample = SAMPLE.matcher(line);
            if (sample.matches()) {
                metrics.computeIfAbsent(sample.group(1), added -> new TreeSet<>())
                        .addAll(labels(sample.group(2)));
            }
        });
        return metrics;
    }

    private static List<String> labels(@Nullable String selector) {
        return LABEL.matcher(Objects.requireNonNullElse(selector, ""))
                .results()
                .map(label -> label.group(1))
                .toList();
    }

    /** Everything that is measured, with whatever registers meters. */
    private static void doEverything(MeterRegistry registry) {
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
        SurewriteMeters meters = new SurewriteMeters(registry);

        Observed write = Observed.start(observations, "surewrite.write", "People.save", "shop.person");
        write.attemptFailed(1, FailureKind.UNKNOWN, new IllegalStateException());
        write.stopWrite(WriteEnd.SUCCEEDED, 2);
        Observed.start(observations, "surewrite.write", "People.save", "shop.person"); // stays active
        meters.circuit("application", () -> State.HALF_OPEN);

        try (InMemoryLeases table = new InMemoryLeases()) {
            LeaseLocks locks = table.process(observations);
            Lease lease = locks.tryAcquire("a").orElseThrow();
            SurewriteMeters.leasesHeld(() -> locks.held().size()).bindTo(registry);
            lease.release();
        }

        Observed unique = Observed.start(observations, "surewrite.unique", "insert", "shop.person");
        unique.event("takeover", "deleted");
        unique.stop("succeeded");

        for (String kept : List.of("surewrite.backlog.keep", "surewrite.backlog.replay")) {
            Observed.start(observations, kept, "People.save", null).stop("unauthorized");
            Observed.start(observations, kept, "People.save", null);
        }
        BacklogSize size = new BacklogSize(1, 1, 1, Instant.EPOCH, 0);
        WriteBacklog backlog = (WriteBacklog) Proxy.newProxyInstance(
                WriteBacklog.class.getClassLoader(),
                new Class<?>[] {WriteBacklog.class},
                (proxy, method, args) -> size);
        SurewriteMeters.backlog(backlog, Clock.systemUTC()).bindTo(registry);

        meters.measured("cassandraSession", new ClockReport(Map.of("127.0.0.1:9042", ClockOffset.UNKNOWN), Map.of()));
    }
}
