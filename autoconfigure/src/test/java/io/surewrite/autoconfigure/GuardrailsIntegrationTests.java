package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.retry.WriteRetryTemplate;
import io.surewrite.test.OwnRepositories;
import io.surewrite.test.OwnServer;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.UniqueBy;
import io.surewrite.write.UnknownOutcomeException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** A server whose operator has forbidden what sure writes need. */
@LongLane
class GuardrailsIntegrationTests {

    private static final String KEYSPACE = "guarded";

    private static EmbeddedCassandra server;

    @BeforeAll
    static void start() {
        server = EmbeddedCassandra.builder()
                .setting("authenticator", "PasswordAuthenticator") // guardrails bind ordinary users
                .setting("user_timestamps_enabled", false)
                .setting("maximum_timestamp_fail_threshold", "1s")
                .setting("read_before_write_list_operations_enabled", false)
                .setting("write_consistency_levels_disallowed", List.of("LOCAL_SERIAL"))
                .start();
        try (CqlSession admin = OwnServer.administrator(server)) {
            admin.execute("CREATE KEYSPACE %s WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"
                    .formatted(KEYSPACE));
            admin.execute("CREATE ROLE application WITH password = 'secret' AND login = true");
            admin.execute("CREATE TABLE %s.guarded_row (id text PRIMARY KEY, login text)".formatted(KEYSPACE));
            admin.execute("CREATE TABLE %s.listed (id text PRIMARY KEY, steps list<text>)".formatted(KEYSPACE));
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static ApplicationContextRunner application() {
        return OwnServer.application(server, KEYSPACE)
                .withPropertyValues("spring.cassandra.username=application", "spring.cassandra.password=secret");
    }

    /** Definitely: nothing is in effect, and nothing is repeated. */
    @Test
    void whatSaysItsTimestampsIsRefusedAtTheFirstWrite() {
        application().withUserConfiguration(Repositories.class).run(context -> {
            GuardedRow row = new GuardedRow("r", "login");
            for (ThrowingCallable write : List.<ThrowingCallable>of(
                    () -> context.getBean(Overwritten.class).overwrite(row),
                    () -> context.getBean(Guarded.class).save(row))) {
                assertThatThrownBy(write)
                        .isNotInstanceOf(UnknownOutcomeException.class)
                        .hasStackTraceContaining("Guardrail user_timestamps violated");
            }
            assertThat(context.getBean(Guarded.class).findAll()).isEmpty();
        });
    }

    @Test
    void aForbiddenSerialLevelIsRefusedAtTheFirstUse() {
        application()
                .withPropertyValues("surewrite.conditional.serial-consistency=local-serial")
                .run(context -> assertThatThrownBy(
                                () -> context.getBean(LeaseLocks.class).tryAcquire("l"))
                        .hasStackTraceContaining("LOCAL_SERIAL"));
    }

    /** The guardrails are about timestamps in the text. */
    @Test
    void retriesKeepTheirTimestampsAndARefusedStatementIsNotRepeated() {
        application().run(context -> {
            CqlTemplate cql = context.getBean(CqlTemplate.class);
            WriteRetryTemplate retry = context.getBean("cassandraRetryTemplate", WriteRetryTemplate.class);
            retry.execute("insert", () -> cql.execute("INSERT INTO listed (id, steps) VALUES (?, ['a'])", "r"));
            AtomicInteger attempts = new AtomicInteger();
            assertThatThrownBy(() -> retry.execute("list", () -> {
                        attempts.incrementAndGet();
                        return cql.execute("UPDATE listed SET steps[0] = 'b' WHERE id = ?", "r");
                    }))
                    .hasStackTraceContaining("read before write");
            assertThat(attempts).hasValue(1);
        });
    }

    @Table("guarded_row")
    record GuardedRow(@Id String id, String login) {}

    @OwnRepositories
    static class Repositories {}

    interface Overwritten extends CassandraRepository<GuardedRow, String>, OverwriteRepository<GuardedRow> {}

    interface Guarded extends CassandraRepository<GuardedRow, String> {

        @Override
        @UniqueBy("login")
        <S extends GuardedRow> S save(S entity);
    }
}
