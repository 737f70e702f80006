package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.backlog.BacklogListener;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.internal.observe.HeardObservations;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseLocks.OnLoss;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnRepositories;
import io.surewrite.unique.UniqueBy;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** An application whose handlers of observations and listeners all throw: no caller notices. */
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
                .withUserConfiguration(Repositories.class, Throwing.class)
                .withPropertyValues("surewrite.backlog.enabled=true", "surewrite.backlog.directory=" + directory)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    blocking(context);
                    backlog(context);
                    Broken broken = context.getBean(Broken.class);
                    assertThat(broken.ended("surewrite.write")).isGreaterThanOrEqualTo(3);
                    assertThat(broken.ended("surewrite.unique")).isGreaterThanOrEqualTo(2);
                    assertThat(broken.ended("surewrite.lease.acquire")).isEqualTo(1);
                    assertThat(broken.ended("surewrite.lease.hold")).isEqualTo(1);
                    assertThat(broken.ended("surewrite.backlog.keep")).isEqualTo(1);
                    Awaitility.await()
                            .atMost(PATIENCE)
                            .untilAsserted(() -> assertThat(broken.ended("surewrite.backlog.replay"))
                                    .isEqualTo(1));
                    assertThat(ObservationRegistry.create().getCurrentObservationScope())
                            .as("left on the thread")
                            .isNull();
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

    private static void backlog(ApplicationContext context) {
        CqlSession driver = context.getBean(CqlSession.class);
        context.getBean(WriteBacklog.class)
                .put(
                        "note",
                        driver.prepare("INSERT INTO note (id, text) VALUES (?, ?)")
                                .bind(UUID.randomUUID(), "kept"));
    }

    @Table("guest")
    record Guest(@PrimaryKey UUID id, String login, String city) {}

    @Table("note")
    record Note(@PrimaryKey UUID id, String text) {}

    @Idempotent
    @UniqueBy("login")
    interface Guests extends CassandraRepository<Guest, UUID> {}

    @Idempotent
    interface Notes extends CassandraRepository<Note, UUID>, OverwriteRepository<Note> {}

    @OwnRepositories
    static class Repositories {}

    /** Throws all that it can but where scopes open: Reactor opens some by itself. */
    private static final class Broken extends HeardObservations {

        private final Map<String, LongAdder> ended = new ConcurrentHashMap<>();

        private long ended(String name) {
            return ended.computeIfAbsent(name, added -> new LongAdder()).sum();
        }

        private static void fail() {
            throw new IllegalStateException("A handler of the application, broken");
        }

        @Override
        public void onStart(Observation.Context context) {
            fail();
        }

        @Override
        public void onEvent(Observation.Event event, Observation.Context context) {
            fail();
        }

        @Override
        public void onStop(Observation.Context context) {
            ended.computeIfAbsent(context.getName(), added -> new LongAdder()).increment();
            fail();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Throwing {

        @Bean
        Broken broken() {
            return new Broken();
        }

        @Bean
        ObservationRegistry observations(Broken broken) {
            return broken.registry();
        }

        @Bean
        BacklogListener brokenBacklogListener() {
            return (BacklogListener) Proxy.newProxyInstance(
                    BacklogListener.class.getClassLoader(),
                    new Class<?>[] {BacklogListener.class},
                    (proxy, method, arguments) -> {
                        if (method.getDeclaringClass() == Object.class) {
                            return method.invoke(this, arguments);
                        }
                        throw new IllegalStateException("A listener of the application, broken");
                    });
        }
    }
}
