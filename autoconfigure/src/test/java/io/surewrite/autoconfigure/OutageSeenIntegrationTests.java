package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.surewrite.lease.WithLease;
import io.surewrite.lease.WithLease.WhenHeld;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.Idempotent.WhenExhausted;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.FrameProxy;
import io.surewrite.test.OwnRepositories;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueGuard;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.cassandra.autoconfigure.DriverConfigLoaderBuilderCustomizer;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** What an operator sees of an application while its cluster is away, and after it came back. */
@ExtendWith(OutputCaptureExtension.class)
class OutageSeenIntegrationTests extends CassandraTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private FrameProxy wire;

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE visitor (id uuid PRIMARY KEY, name text)");
    }

    @BeforeEach
    void layTheWire() {
        wire = FrameProxy.to(keyspace.server().contactPoint());
    }

    @AfterEach
    void takeItAway() {
        wire.close();
    }

    @Test
    @LongLane
    void hasALineWhenWritesBeginToWaitAndOneWhenTheyAreDone(CapturedOutput output) {
        TestObservationRegistry observations = TestObservationRegistry.create();
        application(observations).run(context -> {
            assertThat(context).hasNotFailed();
            Visitors visitors = context.getBean(Visitors.class);
            visitors.save(new Visitor(UUID.randomUUID(), "before"));
            wire.cut();
            for (int i = 0; i < 3; i++) {
                visitors.save(new Visitor(UUID.randomUUID(), "kept"));
            }
            assertThat(lines(output))
                    .singleElement()
                    .asString()
                    .contains(" INFO ", "Visitors.save: kept in the backlog, as further writes are");
            wire.mend();
            await().atMost(PATIENCE).until(() -> lines(output).size() > 1);
            assertThat(lines(output)).hasSize(2);
            assertThat(lines(output).get(1))
                    .endsWith("The backlog has drained: nothing waits any more. Done meanwhile: 3");

            wire.cut();
            visitors.save(new Visitor(UUID.randomUUID(), "left"));
        });
        assertThat(lines(output)).hasSize(4);
        assertThat(lines(output).get(3))
                .contains(" WARN ", "The process ends while 1 write(s) wait in the backlog, the oldest since ");
        wire.mend();
        application(observations).run(context -> {
            assertThat(lines(output).get(4)).contains("1 write(s) wait in the backlog from before this start");
            await().atMost(PATIENCE).until(() -> lines(output).size() > 5);
            assertThat(lines(output).get(5)).contains("The backlog has drained");
        });
        assertThat(output).doesNotContain("given up");
    }

    /** A load balancer that sends no traffic to what is down would never hear that it is up. */
    @Test
    void isHealthyAsSoonAsTheClusterIsBackWithoutTraffic() {
        application(TestObservationRegistry.create())
                .withPropertyValues(
                        "surewrite.unique.timeout=1s",
                        "surewrite.conditional.attempt-timeout=500ms",
                        "surewrite.unique.pending-wait=200ms")
                .run(context -> {
                    HealthIndicator health = context.getBean("uniqueValuesHealthIndicator", HealthIndicator.class);
                    UniqueGuard guard = context.getBean(UniqueGuard.class);
                    UniqueConstraint constraint = UniqueConstraint.on("seat", "seat");
                    guard.claim(constraint, "before", "1A");
                    assertThat(health.health().getStatus()).isEqualTo(Status.UP);
                    wire.cut();
                    assertThat(catchThrowable(() -> guard.claim(constraint, "ann", "1B")))
                            .isNotNull();
                    assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
                    assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
                    wire.mend();
                    await().atMost(PATIENCE)
                            .until(() -> health.health().getStatus().equals(Status.UP));
                    UniqueConstraint look = UniqueConstraint.on("surewrite:health", "health");
                    await("it leaves nothing")
                            .atMost(PATIENCE)
                            .until(() -> guard.findOwner(look, "health").isEmpty());
                });
    }

    /** Of an application without unique values, whose job finds the table away at some ticks. */
    @Test
    @LongLane
    void aScheduledJobHasOneLineAndOneStackTraceForAnOutage(CapturedOutput output) {
        application(TestObservationRegistry.create())
                .withUserConfiguration(Scheduling.class)
                .withBean(Ticking.class)
                .withPropertyValues("surewrite.conditional.attempt-timeout=2s")
                .run(context -> {
                    Ticking job = context.getBean(Ticking.class);
                    await().atMost(PATIENCE).until(() -> job.runs().get() > 0);
                    wire.cut();
                    await().atMost(PATIENCE)
                            .until(() -> shown(output, "LeaseUnavailableException: Lease 'ticking'") > 2);
                    wire.mend();
                    int before = job.runs().get();
                    await().atMost(PATIENCE).until(() -> job.runs().get() > before);
                    // Before the shutdown, at which a tick may come too late.
                    assertOneLineEach(output);
                });
    }

    private static void assertOneLineEach(CapturedOutput output) {
        assertThat(shown(output, "Leases are not to be had, the first was 'ticking'"))
                .isEqualTo(1);
        assertThat(shown(output, "Leases are to be had again, after ")).isEqualTo(1);
        assertThat(output.getAll().lines())
                .filteredOn(line -> line.startsWith("\tat ") && line.contains("OutageSeenIntegrationTests$Ticking"))
                .as("the frame of the job in a stack trace")
                .hasSize(1);
        assertThat(output.getAll())
                .doesNotContain("Caused by: io.surewrite.lease.LeaseUnavailableException")
                .doesNotContain("conditional: given up")
                .doesNotContain("which unique constraints other processes have");
    }

    private static long shown(CapturedOutput output, String text) {
        return output.getAll().lines().filter(line -> line.contains(text)).count();
    }

    private static List<String> lines(CapturedOutput output) {
        return output.getOut()
                .lines()
                .filter(line -> line.contains("RetryCall") || line.contains("BacklogEvents"))
                .filter(line -> !line.contains("kept, and not done yet, ")) // once a probe came in the outage
                .toList();
    }

    private ApplicationContextRunner application(TestObservationRegistry observations) {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        return application()
                .withUserConfiguration(Application.class)
                .withBean(MeterRegistry.class, () -> meters)
                .withBean(ObservationRegistry.class, () -> observations)
                .withPropertyValues(
                        "spring.cassandra.contact-points=127.0.0.1:" + wire.port(),
                        "surewrite.backlog.enabled=true",
                        "surewrite.backlog.directory=" + directory,
                        "surewrite.retry.attempts=2",
                        "surewrite.retry.initial-backoff=5ms");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    static class Ticking {

        private final AtomicInteger runs = new AtomicInteger();

        @Scheduled(fixedDelay = 100)
        @WithLease(value = "ticking", whenHeld = WhenHeld.SKIP)
        public void tick() {
            runs.incrementAndGet();
        }

        public AtomicInteger runs() {
            return runs;
        }
    }

    @Table("visitor")
    record Visitor(@Id UUID id, String name) {}

    interface Visitors extends CassandraRepository<Visitor, UUID> {

        @Override
        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        <S extends Visitor> S save(S visitor);
    }

    @OwnRepositories
    static class Application {

        @Bean
        DriverConfigLoaderBuilderCustomizer quickReconnection() {
            return config -> config.withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(50))
                    .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofMillis(100));
        }
    }
}
