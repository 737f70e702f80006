package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.backlog.DeadLetter;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.internal.session.ScopedCqlSession;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.overwrite.Overwriting;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.WriteRetryTemplate;
import io.surewrite.schema.TablesInUse;
import io.surewrite.test.OwnServer;
import io.surewrite.testsupport.Nightly;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueGuard;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.write.ReactiveWriteScope;
import io.surewrite.write.TransactionalTableException;
import io.surewrite.write.WriteScope;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.ReactiveCassandraTemplate;
import org.springframework.data.cassandra.core.cql.AsyncCqlTemplate;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import reactor.util.context.Context;

/** Cassandra 6 with Accord, which gives tables {@code full} unless they say otherwise: what is refused there, and what is kept. */
@Nightly
class AccordTablesIntegrationTests {

    private static final String KEYSPACE = "accord_tables";

    private static EmbeddedCassandra server;
    private static CqlSession session;

    @TempDir
    private static Path backlog;

    @BeforeAll
    static void start() {
        server = EmbeddedCassandra.builder()
                .version("6.0-alpha2")
                .setting("accord", Map.of("enabled", true, "default_transactional_mode", "full"))
                .start();
        server.createKeyspace(KEYSPACE);
        session = OwnServer.patient(server.contactPoint(), server.localDatacenter())
                .withKeyspace(KEYSPACE)
                .build();
        create("transacted", "");
        create("mixed", " WITH transactional_mode = 'mixed_reads'");
        create("plain", " WITH transactional_mode = 'off'");
        create("changing", " WITH transactional_mode = 'off'");
    }

    private static void create(String table, String options) {
        session.execute("CREATE TABLE %s (id text PRIMARY KEY, login text, note text)%s".formatted(table, options));
    }

    @AfterAll
    static void stop() {
        session.close();
        server.close();
    }

    /** What the gate is for: without it this is what a retry of an old write does. */
    @ParameterizedTest
    @ValueSource(strings = {"transacted", "mixed"})
    void accordLetsALateOldWriteWin(String table) {
        String id = "wrong";
        send(write(table, id, "A").setQueryTimestamp(1_000));
        send(write(table, id, "B").setQueryTimestamp(2_000));
        send(write(table, id, "A").setQueryTimestamp(1_000));
        assertThat(note(table, id)).as("A, B, and A again").isEqualTo("A");
    }

    private static void send(Statement<?> write) {
        session.execute(write.setConsistencyLevel(ConsistencyLevel.QUORUM));
    }

    private static Row one(String query) {
        return session.execute(SimpleStatement.newInstance(query).setConsistencyLevel(ConsistencyLevel.QUORUM))
                .one();
    }

    private static SimpleStatement write(String table, String id, String note) {
        return SimpleStatement.newInstance("INSERT INTO %s (id, note) VALUES ('%s', '%s')".formatted(table, id, note));
    }

    private static String note(String table, String id) {
        return String.valueOf(
                one("SELECT note FROM %s WHERE id = '%s'".formatted(table, id)).getString("note"));
    }

    /** Each way in which a write goes out; the table is full in the text, in the bound statement or in the entity. */
    @Test
    void noWayOfSendingPassesTheGate() {
        application().run(context -> {
            CqlTemplate cql = context.getBean(CqlTemplate.class);
            AsyncCqlTemplate async = new AsyncCqlTemplate(context.getBean(SessionFactory.class));
            context.getAutowireCapableBeanFactory().initializeBean(async, "async");
            CassandraTemplate template = context.getBean(CassandraTemplate.class);
            ReactiveCassandraTemplate reactive = context.getBean(ReactiveCassandraTemplate.class);
            CqlSession scoped = ScopedCqlSession.of(context.getBean(CqlSession.class));
            PreparedStatement prepared = scoped.prepare("INSERT INTO mixed (id, note) VALUES (?, ?)");
            PreparedStatement batch = scoped.prepare(
                    "BEGIN BATCH INSERT INTO plain (id, note) VALUES (?, 'n'); INSERT INTO mixed (id, note) VALUES (?, 'n') APPLY BATCH");
            Transacted row = new Transacted("gate", "gate", "gate");
            Map<String, Runnable> ways = new LinkedHashMap<>();
            ways.put("text", () -> cql.execute("INSERT INTO transacted (id, note) VALUES ('gate', 'n')"));
            ways.put(
                    "text with its keyspace",
                    () -> cql.execute("DELETE FROM " + KEYSPACE + "/* here */.\"transacted\" WHERE id = 'gate'"));
            ways.put("bound", () -> cql.execute("UPDATE mixed SET note = ? WHERE id = ?", "n", "gate"));
            ways.put("template", () -> template.insert(row));
            ways.put("deletion", () -> template.delete(row));
            ways.put("template's batch", () -> template.batchOps().insert(row).execute());
            ways.put(
                    "asynchronous",
                    () -> async.execute("INSERT INTO mixed (id) VALUES (?)", "gate")
                            .join());
            ways.put(
                    "reactive",
                    () -> reactive.insert(row)
                            .contextWrite(ReactiveWriteScope.handOn(Context.empty()))
                            .block());
            ways.put("session", () -> scoped.execute(prepared.bind("gate", "n")));
            ways.put(
                    "session, later",
                    () -> scoped.executeAsync(prepared.bind("gate", "n"))
                            .toCompletableFuture()
                            .join());
            ways.put(
                    "batch",
                    () -> scoped.execute(BatchStatement.newInstance(DefaultBatchType.LOGGED)
                            .add(write("plain", "gate", "n"))
                            .add(prepared.bind("gate", "n"))));
            ways.put("batch in a text", () -> scoped.execute(batch.bind("gate", "gate")));
            ways.put("applied by hand", () -> session.execute(WriteScope.apply(prepared.bind("gate", "n"))));
            ways.put(
                    "retry",
                    () -> context.getBean("cassandraRetryTemplate", WriteRetryTemplate.class)
                            .execute("retry", () -> template.insert(row)));
            ways.put("overwrite", () -> context.getBean(RowOverwrites.class).overwrite(row));
            List<String> passed = new ArrayList<>();
            ways.forEach((way, write) -> {
                try {
                    WriteScope.at(5_000).call(() -> {
                        write.run();
                        return null;
                    });
                    passed.add(way);
                } catch (RuntimeException refused) {
                    assertThat(refused)
                            .as(way)
                            .hasStackTraceContaining("transactional_mode = '")
                            .hasStackTraceContaining(": refused");
                }
            });
            assertThat(passed).isEmpty();
            assertThat(one("SELECT id FROM transacted WHERE id = 'gate'")).isNull();
            assertThat(one("SELECT id FROM mixed WHERE id = 'gate'")).isNull();
            assertThat(one("SELECT id FROM plain WHERE id = 'gate'")).isNull();

            WriteScope.at(5_000).call(() -> cql.execute("INSERT INTO plain (id, note) VALUES ('open', 'mixed_')"));
            assertThatNoException()
                    .as("a read")
                    .isThrownBy(() -> WriteScope.at(5_000).call(() -> cql.queryForList("SELECT id FROM transacted")));
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {Retried.class, Guarded.class, Overwritten.class})
    void annotatedRepositoriesOnSuchTablesEndTheStart(Class<?> repository) {
        application(repository).run(context -> {
            assertThat(context).hasFailed();
            assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                    .isInstanceOf(InvalidConfigurationException.class)
                    .hasMessageContainingAll(
                            repository.getSimpleName(),
                            KEYSPACE + ".transacted has transactional_mode = 'full'",
                            "Fix: ALTER TABLE " + KEYSPACE + ".transacted WITH transactional_mode = 'off'");
            assertThat(new SurewriteFailureAnalyzer().analyze(context.getStartupFailure()))
                    .isNotNull();
        });
    }

    /** Nothing that the driver publishes says it. */
    @Test
    void aTableThatChangesUnderARunningApplicationIsNoticed() {
        application(ChangingRows.class, "surewrite.backlog.enabled=true", "surewrite.backlog.directory=" + backlog)
                .run(context -> {
                    WriteBacklog writes = context.getBean(WriteBacklog.class);
                    context.getBean(ChangingRows.class).save(new Changed("c", "l", "before"));
                    TablesInUse tables = context.getBean(TablesInUse.class);
                    assertThat(tables.findings())
                            .noneMatch(found -> found.problem().contains("Accord"));

                    session.execute("ALTER TABLE changing WITH transactional_mode = 'full'");
                    Awaitility.await()
                            .untilAsserted(() -> assertThat(tables.findings())
                                    .anyMatch(found -> found.subject().contains("changing")
                                            && found.problem().contains("transactional_mode = 'full'")));
                    assertThatThrownBy(() -> context.getBean(ChangingRows.class).save(new Changed("c", "l", "after")))
                            .isInstanceOf(TransactionalTableException.class);
                    var unused = writes.put("test", write("changing", "c", "kept"));
                    Awaitility.await().until(() -> writes.deadLetters(0, 10).size() == 1);
                    assertThat(writes.deadLetters(0, 10).get(0))
                            .extracting(DeadLetter::toString)
                            .asString()
                            .contains("transactional_mode");
                    assertThat(note("changing", "c")).isEqualTo("before");

                    session.execute("ALTER TABLE changing WITH transactional_mode = 'off'");
                    Awaitility.await()
                            .untilAsserted(() -> assertThat(tables.findings())
                                    .as("on its way back")
                                    .anyMatch(found ->
                                            found.problem().contains("transactional_migration_from = 'full'")));
                });
    }

    @Test
    void ourTablesAreMadeWithoutAccordAndKeepTheirPromises() {
        application("surewrite.journal.enabled=true").run(context -> {
            LeaseLocks locks = context.getBean(LeaseLocks.class);
            long first = token(locks);
            assertThat(token(locks)).isGreaterThan(first);
            UniqueGuard guard = context.getBean(UniqueGuard.class);
            UniqueConstraint constraint = UniqueConstraint.on("accord", "value");
            guard.claim(constraint, "one", "v");
            assertThatThrownBy(() -> guard.claim(constraint, "two", "v")).isInstanceOf(DuplicateValueException.class);
            AttributeJournal journal = context.getBean(AttributeJournal.class);
            journal.record("e", Map.of("a", "late"), Instant.ofEpochSecond(1_500_000_000L));
            assertThat(journal.history("e", "a", null, 10)).hasSize(1);

            context.getBean(RowOverwrites.class).overwrite(new Plain("o", "login", "note"));
            context.getBean(RowOverwrites.class).overwrite(new Plain("o", "login", null));
            assertThat(one("SELECT note FROM plain WHERE id = 'o'").getString("note"))
                    .isNull();

            assertThat(session.execute("DESCRIBE KEYSPACE " + KEYSPACE).all().stream()
                            .map(row -> row.getString("create_statement"))
                            .filter(ddl -> ddl.contains("TABLE " + KEYSPACE + ".surewrite_"))
                            .toList())
                    .isNotEmpty()
                    .allMatch(ddl -> ddl.contains("transactional_mode = 'off'"));
        });
    }

    private static long token(LeaseLocks locks) {
        try (Lease lease = locks.tryAcquire("l").orElseThrow()) {
            return lease.token();
        }
    }

    @Test
    void ourTablesWithAccordEndTheStart() {
        application("surewrite.schema.table-prefix=other_")
                .run(context -> assertThat(context.getBean(LeaseLocks.class)).isNotNull());
        session.execute("ALTER TABLE other_lease WITH transactional_mode = 'full'");
        application("surewrite.schema.table-prefix=other_", "surewrite.schema.initialize=never")
                .run(context -> assertThatThrownBy(() -> context.getBean(LeaseLocks.class))
                        .hasRootCauseInstanceOf(InvalidConfigurationException.class)
                        .hasStackTraceContaining("other_lease must be written by Paxos")
                        .hasStackTraceContaining(
                                "ALTER TABLE " + KEYSPACE + ".other_lease WITH transactional_mode = 'off';"));
    }

    private static ApplicationContextRunner application(Class<?> repository, String... properties) {
        return OwnServer.with(repository, application(properties));
    }

    private static ApplicationContextRunner application(String... properties) {
        return OwnServer.application(server, KEYSPACE)
                .withPropertyValues("spring.cassandra.request.consistency=quorum") // Accord refuses local levels
                .withPropertyValues(properties);
    }

    @Table("transacted")
    record Transacted(@Id String id, String login, @Nullable String note) {}

    @Table("changing")
    record Changed(@Id String id, String login, @Nullable String note) {}

    @Table("plain")
    record Plain(@Id String id, String login, @Nullable String note) {}

    interface Retried extends CassandraRepository<Transacted, String> {

        @Override
        @Idempotent
        <S extends Transacted> S save(S entity);
    }

    interface Guarded extends CassandraRepository<Transacted, String> {

        @Override
        @UniqueBy("login")
        <S extends Transacted> S save(S entity);
    }

    @Overwriting
    interface Overwritten extends CassandraRepository<Transacted, String> {}

    interface ChangingRows extends CassandraRepository<Changed, String> {

        @Override
        @Idempotent
        <S extends Changed> S save(S entity);
    }
}
