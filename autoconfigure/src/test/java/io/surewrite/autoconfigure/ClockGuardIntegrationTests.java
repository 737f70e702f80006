package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.internal.clock.ClockGuard;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnRepositories;
import io.surewrite.unique.UniqueBy;
import io.surewrite.write.ClockOffsetException;
import io.surewrite.write.WriteTimestamps;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.cassandra.autoconfigure.DriverConfigLoaderBuilderCustomizer;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** An application whose clock is wrong, and one whose machine is busy, on a real server. */
@ExtendWith(OutputCaptureExtension.class)
class ClockGuardIntegrationTests extends CassandraTest {

    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

    /** How far the clock of the application is ahead. */
    private static volatile Duration ahead = Duration.ZERO;

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE timed_note (id uuid PRIMARY KEY, text text)");
        session.execute("CREATE TABLE timed_user (id uuid PRIMARY KEY, text text) WITH read_repair = 'BLOCKING'");
    }

    @AfterEach
    void setTheClockRight() {
        ahead = Duration.ZERO;
    }

    @Test
    void refusesWritesFromTheFirstOneOnUntilTheClockIsRight() {
        long before = rows();
        ahead = TEN_MINUTES;
        application()
                .withUserConfiguration(Application.class)
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .run(context -> {
                    assertRefused(context, "ahead of those of 1 of 1 nodes");
                    assertThat(gauge(context, "surewrite.clock.offset")).isBetween(-601.0, -599.0);

                    ahead = Duration.ZERO;
                    await().untilAsserted(() -> assertThat(health(context)).isEqualTo(Status.UP));
                    await().untilAsserted(() ->
                            assertThat(gauge(context, "surewrite.clock.offset")).isBetween(-1.0, 1.0));
                    writes(context).forEach(ClockGuardIntegrationTests::succeeds);
                    assertThat(rows()).as("three rows and a claim").isEqualTo(before + 4);

                    ahead = TEN_MINUTES.negated();
                    await().untilAsserted(() -> assertThat(health(context)).isEqualTo(Status.DOWN));
                    assertRefused(context, "behind those of 1 of 1 nodes");
                });
    }

    @Test
    void keepsNothingForLaterInARetriedCallWhileTheClockIsWrong(@TempDir Path directory) {
        ahead = TEN_MINUTES;
        application()
                .withUserConfiguration(Application.class)
                .withPropertyValues("surewrite.backlog.enabled=true", "surewrite.backlog.directory=" + directory)
                .run(context -> {
                    WriteBacklog backlog = context.getBean(WriteBacklog.class);
                    Statement<?> note = context.getBean(CqlSession.class)
                            .prepare("INSERT INTO timed_note (id, text) VALUES (?, 'kept')")
                            .bind(UUID.randomUUID());
                    Notes notes = context.getBean(Notes.class);
                    assertThatExceptionOfType(ClockOffsetException.class).isThrownBy(() -> notes.keep(backlog, note));
                    assertThat(backlog.size().entries()).isZero();
                });
    }

    @Test
    void acquiresNoLeaseAndClaimsNothingBeyondTheMargin() {
        application().withUserConfiguration(Application.class).run(context -> {
            LeaseLocks locks = context.getBean(LeaseLocks.class);
            try (Lease held = locks.tryAcquire("held").orElseThrow()) {
                ahead = Duration.ofSeconds(2);
                await().untilAsserted(() -> assertThat(health(context)).isEqualTo(Status.DOWN));
                assertThatExceptionOfType(ClockOffsetException.class)
                        .isThrownBy(() -> locks.tryAcquire("free"))
                        .withMessageContaining("the clock of this process is at least ")
                        .withMessageContaining("surewrite.clock.margin is 500 ms");
                long before = rows();
                assertThatExceptionOfType(ClockOffsetException.class)
                        .isThrownBy(() -> context.getBean(Users.class).insert(new User(UUID.randomUUID(), "apart")))
                        .withMessageContaining("surewrite.clock.margin is 500 ms");
                assertThat(rows()).as("nothing was sent").isEqualTo(before);
                assertThat(held.renew()).isTrue();
                succeeds(() -> context.getBean(Notes.class).save(new Note(UUID.randomUUID(), "idempotent")));
            }
        });
    }

    private void assertRefused(ApplicationContext context, String problem) {
        long before = rows();
        for (ThrowingCallable write : writes(context)) {
            assertThatExceptionOfType(ClockOffsetException.class)
                    .isThrownBy(write)
                    .withMessageContaining(problem)
                    .withMessageContaining("surewrite.clock.max-offset is 5 s");
        }
        assertThat(rows()).as("nothing was sent").isEqualTo(before);
        assertThat(health(context)).isEqualTo(Status.DOWN);

        CassandraTemplate template = context.getBean(CassandraTemplate.class);
        UUID id = UUID.randomUUID();
        assertThat(template.exists(id, Note.class)).as("reads go on").isFalse();
        assertThat(context.getBean(Notes.class).findById(id))
                .as("reads of a repository whose writes are refused, too")
                .isEmpty();
        assertThat(template.getCqlOperations()
                        .execute("INSERT INTO timed_note (id, text) VALUES (?, 'x') IF NOT EXISTS", id))
                .as("the server stamps conditional writes")
                .isTrue();
        template.getCqlOperations().execute("DELETE FROM timed_note WHERE id = ? IF EXISTS", id);
        assertThatExceptionOfType(ClockOffsetException.class)
                .isThrownBy(() -> context.getBean(LeaseLocks.class).tryAcquire("clock"))
                .withMessageContaining("surewrite.clock.margin is 500 ms");
    }

    /** Every kind of sure write, each by the way that an application has. */
    private static List<ThrowingCallable> writes(ApplicationContext context) {
        return List.of(
                () -> context.getBean(Notes.class).save(new Note(UUID.randomUUID(), "idempotent")),
                () -> context.getBean(RowOverwrites.class).overwrite(new Note(UUID.randomUUID(), "overwritten")),
                () -> context.getBean(Users.class).insert(new User(UUID.randomUUID(), "unique")));
    }

    private static void succeeds(ThrowingCallable write) {
        try {
            write.call();
        } catch (Throwable failure) {
            throw new AssertionError("A right clock is refused", failure);
        }
    }

    /** Of both tables, and the claims, whose table is made at the first use. */
    private static long rows() {
        boolean claimed = session.execute(
                                "SELECT table_name FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?",
                                keyspace.name(),
                                "surewrite_claim")
                        .one()
                != null;
        return count("timed_note")
                + count("timed_user")
                + (claimed ? count("surewrite_claim WHERE constraint_name = 'timed_user.text' ALLOW FILTERING") : 0);
    }

    private static long count(String table) {
        return session.execute("SELECT count(*) FROM " + table).one().getLong(0);
    }

    private static Status health(ApplicationContext context) {
        return context.getBean(ClockHealthIndicator.class).health().getStatus();
    }

    private static double gauge(ApplicationContext context, String meter) {
        return context.getBean(MeterRegistry.class)
                .get(meter)
                .tag("session", "cassandraSession")
                .gauge()
                .value();
    }

    @Test
    void measuresNothingIfToldSo() {
        application().withPropertyValues("surewrite.clock.enabled=false").run(context -> {
            assertThat(context).doesNotHaveBean(ClockHealthIndicator.class);
            assertThat(ClockGuard.of(context.getBean(WriteTimestamps.class))
                            .report()
                            .nodes())
                    .isEmpty();
        });
    }

    @Test
    void refusesSettingsThatMakeNoSense() {
        ClockProperties properties = new ClockProperties(true, Duration.ofMillis(500), Duration.ofMillis(10));
        assertThatThrownBy(properties::settings)
                .hasMessageContaining("max-offset PT0.01S must not be below the margin PT0.5S");
    }

    /** The starter's source of timestamps, over a clock that the test sets. */
    public static class SetClock extends WriteTimestamps {

        public SetClock(DriverContext context) {
            super(() -> TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis() + ahead.toMillis()));
        }
    }

    @Table("timed_note")
    record Note(@Id UUID id, String text) {}

    @Table("timed_user")
    record User(@Id UUID id, String text) {}

    @Idempotent
    interface Notes extends CassandraRepository<Note, UUID> {

        default void keep(WriteBacklog backlog, Statement<?> note) {
            backlog.put("note", note);
        }
    }

    @UniqueBy("text")
    interface Users extends CassandraRepository<User, UUID> {}

    @OwnRepositories
    static class Application {

        @Bean
        DriverConfigLoaderBuilderCustomizer clock() {
            return builder -> builder.withClass(DefaultDriverOption.TIMESTAMP_GENERATOR_CLASS, SetClock.class);
        }
    }
}
