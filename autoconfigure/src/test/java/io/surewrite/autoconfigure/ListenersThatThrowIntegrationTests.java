package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.surewrite.backlog.BacklogListener;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.cql.WriteListener;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.lease.OnLoss;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.overwrite.ReactiveOverwriteRepository;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.WriteRetryTemplate;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.ObservedMeters;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueListener;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraReactiveAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;
import org.springframework.data.cassandra.repository.config.EnableReactiveCassandraRepositories;

/** An application whose own listeners all throw: no caller notices, and every metric is there. */
@Timeout(60)
class ListenersThatThrowIntegrationTests extends CassandraTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    private Path directory;

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE guest (id uuid PRIMARY KEY, login text, city text)");
        session.execute("CREATE TABLE note (id uuid PRIMARY KEY, text text)");
    }

    @Test
    void changeNothing() {
        application()
                .withConfiguration(AutoConfigurations.of(DataCassandraReactiveAutoConfiguration.class))
                .withUserConfiguration(Repositories.class, Throwing.class, ObservedMeters.class)
                .withPropertyValues(
                        "surewrite.journal.enabled=true",
                        "surewrite.backlog.enabled=true",
                        "surewrite.backlog.directory=" + directory)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    blocking(context);
                    asynchronous(context);
                    reactive(context);
                    journalAndBacklog(context);
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    assertCount(meters, "surewrite.write.attempts", 6); // five calls, and one at least inside of them
                    assertCount(meters, "surewrite.unique", 4);
                    assertCount(meters, "surewrite.unique.claim", 4);
                    assertCount(meters, "surewrite.lease.acquire", 2);
                    assertCount(meters, "surewrite.lease.hold", 2);
                    assertCount(meters, "surewrite.backlog.keep", 1);
                    assertThat(meters.get("surewrite.clock.offset").gauges())
                            .as("of each node")
                            .isNotEmpty();
                    Awaitility.await()
                            .atMost(PATIENCE)
                            .untilAsserted(() -> assertCount(meters, "surewrite.backlog.replay", 1));
                });
    }

    private static void blocking(ApplicationContext context) throws Exception {
        Guests guests = context.getBean(Guests.class);
        Guest guest = guests.insert(new Guest(UUID.randomUUID(), "ann", null));
        guests.save(new Guest(guest.id(), "anna", "Bonn"));
        context.getBean(Notes.class).overwrite(new Note(UUID.randomUUID(), null));
        assertThat(context.getBean(LeaseLocks.class)
                        .callUnder(LeaseRequest.of("blocking"), Duration.ZERO, OnLoss.INTERRUPT, Lease::isHeld))
                .isTrue();
    }

    private static void asynchronous(ApplicationContext context) throws Exception {
        CqlSession driver = context.getBean(CqlSession.class);
        var sent = context.getBean("cassandraRetryTemplate", WriteRetryTemplate.class)
                .executeAsync(
                        "note", () -> driver.executeAsync("INSERT INTO note (id, text) VALUES (uuid(), 'later')"));
        assertThat(sent.get(20, TimeUnit.SECONDS)).isNotNull();
        Lease lease = context.getBean(LeaseLocks.class)
                .tryAcquireAsync(LeaseRequest.of("later"))
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS)
                .orElseThrow();
        lease.releaseAsync().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private static void reactive(ApplicationContext context) {
        ReactiveGuests guests = context.getBean(ReactiveGuests.class);
        Guest guest = guests.insert(new Guest(UUID.randomUUID(), "eve", null)).block(PATIENCE);
        guests.save(new Guest(guest.id(), "eva", null)).block(PATIENCE);
        context.getBean(ReactiveNotes.class)
                .overwrite(new Note(UUID.randomUUID(), null))
                .block(PATIENCE);
    }

    private static void journalAndBacklog(ApplicationContext context) {
        AttributeJournal journal = context.getBean(AttributeJournal.class);
        journal.record("guest", Map.of("name", "Ann"), Instant.parse("2026-06-10T08:00:00Z"));
        journal.record("guest", Map.of("name", "Eve"), Instant.parse("2026-08-10T08:00:00Z"));
        CqlSession driver = context.getBean(CqlSession.class);
        context.getBean(WriteBacklog.class)
                .put(
                        "note",
                        driver.prepare("INSERT INTO note (id, text) VALUES (?, ?)")
                                .bind(UUID.randomUUID(), "kept"));
    }

    private static void assertCount(MeterRegistry meters, String name, int least) {
        assertThat(meters.getMeters().stream()
                        .filter(meter -> meter.getId().getName().equals(name))
                        .mapToDouble(ListenersThatThrowIntegrationTests::count)
                        .sum())
                .as(name)
                .isGreaterThanOrEqualTo(least);
    }

    private static double count(Meter meter) {
        // The first measurement of counters, timers and summaries is how often.
        return meter.measure().iterator().next().getValue();
    }

    @Table("guest")
    record Guest(@PrimaryKey UUID id, String login, String city) {}

    @Table("note")
    record Note(@PrimaryKey UUID id, String text) {}

    @Idempotent
    @UniqueBy("login")
    interface Guests extends CassandraRepository<Guest, UUID> {}

    @Idempotent
    @UniqueBy("login")
    interface ReactiveGuests extends ReactiveCassandraRepository<Guest, UUID> {}

    @Idempotent
    interface Notes extends CassandraRepository<Note, UUID>, OverwriteRepository<Note> {}

    @Idempotent
    interface ReactiveNotes extends ReactiveCassandraRepository<Note, UUID>, ReactiveOverwriteRepository<Note> {}

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.REGEX, pattern = ".*\\.ListenersThatThrowIntegrationTests\\$.*"))
    @EnableReactiveCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.REGEX, pattern = ".*\\.ListenersThatThrowIntegrationTests\\$.*"))
    static class Repositories {}

    @Configuration(proxyBeanMethods = false)
    static class Throwing {

        private static <L> L throwing(Class<L> kind) {
            return kind.cast(Proxy.newProxyInstance(
                    kind.getClassLoader(), new Class<?>[] {kind}, (proxy, method, arguments) -> {
                        if (method.getDeclaringClass() == Object.class) {
                            return method.invoke(kind, arguments);
                        }
                        Class<?> answer = method.getReturnType();
                        if (answer.isInterface() && answer != Map.class) {
                            return throwing(answer);
                        }
                        throw new IllegalStateException("A listener of the application, broken");
                    }));
        }

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        WriteListener brokenWriteListener() {
            return throwing(WriteListener.class);
        }

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        UniqueListener brokenUniqueListener() {
            return throwing(UniqueListener.class);
        }

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        BacklogListener brokenBacklogListener() {
            return throwing(BacklogListener.class);
        }
    }
}
