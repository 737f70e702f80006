package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.ObservedMeters;
import io.surewrite.test.OwnRepositories;
import io.surewrite.write.UnknownOutcomeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cassandra.autoconfigure.DriverConfigLoaderBuilderCustomizer;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraReactiveAutoConfiguration;
import org.springframework.dao.DataAccessException;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;

/** What the repositories of an application say while its database is stopped. */
@Isolated("stops the server")
class ReadsInAnOutageIntegrationTests extends CassandraTest {

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE visitor (id uuid PRIMARY KEY, name text)");
    }

    @Test
    void aFailedReadIsNoWriteThatMayBeInEffect() {
        application()
                .withConfiguration(AutoConfigurations.of(DataCassandraReactiveAutoConfiguration.class))
                .withUserConfiguration(Repositories.class, ObservedMeters.class)
                .withBean(DriverConfigLoaderBuilderCustomizer.class, ReadsInAnOutageIntegrationTests::patientDriver)
                .withPropertyValues(
                        "surewrite.retry.attempts=1",
                        "surewrite.retry.initial-backoff=1ms",
                        "spring.cassandra.request.timeout=200ms")
                .run(context -> {
                    Visitors visitors = context.getBean(Visitors.class);
                    ReactiveVisitors reactive = context.getBean(ReactiveVisitors.class);
                    UUID id = UUID.randomUUID();
                    Map<String, ThrowingCallable> reads = Map.of(
                            "Visitors.findById", () -> visitors.findById(id),
                            "Visitors.findAll", visitors::findAll,
                            "Visitors.existsById", () -> visitors.existsById(id),
                            "Visitors.count", visitors::count,
                            "Visitors.readById", () -> visitors.readById(id),
                            "Visitors.names", visitors::names,
                            "ReactiveVisitors.findById",
                                    () -> reactive.findById(id).block(),
                            "ReactiveVisitors.findAll", () -> reactive.findAll().blockLast());
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    keyspace.server().pause();
                    try {
                        reads.forEach((name, read) -> {
                            assertThat(catchThrowable(read))
                                    .as(name)
                                    .isInstanceOf(DataAccessException.class)
                                    .isNotInstanceOf(UnknownOutcomeException.class);
                            assertThat(count(meters, "exhausted", name)).isEqualTo(1);
                            assertThat(count(meters, "unknown", name)).isZero();
                        });
                        assertThat(catchThrowable(() -> visitors.save(new Visitor(id, "Ann"))))
                                .isInstanceOf(UnknownOutcomeException.class)
                                .hasMessageContaining("may be in effect");
                        assertThat(count(meters, "unknown", "Visitors.save")).isEqualTo(1);
                    } finally {
                        keyspace.server().resume();
                    }
                });
    }

    private static long count(MeterRegistry meters, String outcome, String operation) {
        Timer timer = meters.find("surewrite.write")
                .tags("operation", operation, "outcome", outcome)
                .timer();
        return timer == null ? 0 : timer.count();
    }

    @Table("visitor")
    record Visitor(@PrimaryKey UUID id, String name) {}

    @Idempotent
    interface Visitors extends CassandraRepository<Visitor, UUID> {

        Visitor readById(UUID id);

        @Query("SELECT name FROM visitor")
        List<String> names();
    }

    @Idempotent
    interface ReactiveVisitors extends ReactiveCassandraRepository<Visitor, UUID> {}

    /** Only requests are to fail fast, not what the driver reads when it connects. */
    private static DriverConfigLoaderBuilderCustomizer patientDriver() {
        return config -> config.withDuration(
                        DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, Duration.ofSeconds(20))
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, Duration.ofSeconds(20));
    }

    @OwnRepositories
    static class Repositories {}
}
