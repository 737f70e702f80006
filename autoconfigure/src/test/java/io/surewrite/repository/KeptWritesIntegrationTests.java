package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.surewrite.backlog.BacklogException;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.Idempotent.WhenExhausted;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.FrameProxy;
import io.surewrite.test.OwnRepositories;
import io.surewrite.write.WriteReceipt;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cassandra.autoconfigure.DriverConfigLoaderBuilderCustomizer;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraReactiveAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.dao.DataAccessException;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.cql.AsyncCqlTemplate;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;
import org.springframework.data.repository.Repository;
import reactor.core.publisher.Mono;

/** Repositories and beans whose cluster goes away and comes back, with what was written meanwhile. */
class KeptWritesIntegrationTests extends CassandraTest {

    private static final UUID ID = UUID.fromString("00000000-0000-4000-8000-000000000001");

    private static FrameProxy wire;

    private static List<String> properties;

    @BeforeAll
    static void createTable(@TempDir Path directory) {
        session.execute("CREATE TABLE person (id uuid PRIMARY KEY, name text)");
        wire = FrameProxy.to(keyspace.server().contactPoint());
        properties = properties(directory);
    }

    @BeforeEach
    void mendTheWire() {
        wire.mend();
        session.execute("TRUNCATE person");
    }

    @AfterAll
    static void takeTheWireAway() {
        wire.close();
    }

    @Test
    void aSaveReturnsItsEntityAndIsDoneLater() {
        run(context -> {
            People people = context.getBean(People.class);
            people.save(new Person(UUID.randomUUID(), "before"));
            wire.cut();
            Person kept = people.save(new Person(null, "kept"));
            assertThat(kept.id()).isNotNull();
            assertThat(row(kept.id())).isNull();
            assertThat(context.getBean(WriteBacklog.class).size().entries()).isEqualTo(1);
            wire.mend();
            awaitDrained(context);
            assertThat(row(kept.id()).getString("name")).isEqualTo("kept");
        });
    }

    /** No literal and no comment is a condition: it is kept, and at the time of its decision. */
    @Test
    void aQueryWithAKeywordInALiteralIsKeptAsAnyOther() {
        run(context -> {
            People people = context.getBean(People.class);
            people.rerun(ID);
            wire.cut();
            people.rerun(ID);
            assertThat(context.getBean(WriteBacklog.class).size().entries()).isEqualTo(1);
            session.execute("UPDATE person SET name = 'newer' WHERE id = ?", ID); // by another way
            wire.mend();
            awaitDrained(context);
            assertThat(row(ID).getString("name")).isEqualTo("newer");
        });
    }

    @Test
    void aQueryReturnsAReceiptWhereNullIsRefused() {
        run(context -> {
            Renames renames = context.getBean(Renames.class);
            assertThat(renames.rename("now", ID)).isEqualTo(WriteReceipt.WRITTEN);
            wire.cut();
            assertThat(renames.rename("later", ID)).isEqualTo(WriteReceipt.KEPT);
            wire.mend();
            awaitDrained(context);
            assertThat(row(ID).getString("name")).isEqualTo("later");
        });
    }

    @Test
    void aReceiptSaysWhatBecameOfIt() {
        run(context -> {
            Writers writers = context.getBean(Writers.class);
            assertThat(writers.write("now")).isEqualTo(WriteReceipt.WRITTEN);
            assertThat(writers.writeLater("now").join()).isEqualTo(WriteReceipt.WRITTEN);
            assertThat(writers.writeReactively("now").block()).isEqualTo(WriteReceipt.WRITTEN);
            wire.cut();
            assertThat(writers.write("at once")).isEqualTo(WriteReceipt.KEPT);
            assertThat(writers.writeLater("later").join()).isEqualTo(WriteReceipt.KEPT);
            assertThat(writers.writeReactively("reactively").block()).isEqualTo(WriteReceipt.KEPT);
            assertThat(context.getBean(WriteBacklog.class).size().entries()).isEqualTo(3);
            wire.mend();
            awaitDrained(context);
            assertThat(row(ID).getString("name")).isEqualTo("reactively");
        });
    }

    @Test
    void aFullBacklogGivesTheFailureThatTheWriteHad(@TempDir Path directory) {
        ApplicationContextRunner application = application()
                .withConfiguration(AutoConfigurations.of(DataCassandraReactiveAutoConfiguration.class))
                .withUserConfiguration(Application.class)
                .withPropertyValues(properties(directory).toArray(String[]::new));
        application.withPropertyValues("surewrite.backlog.max-entries=1").run(context -> {
            People people = context.getBean(People.class);
            Writers writers = context.getBean(Writers.class);
            ReactivePeople reactive = context.getBean(ReactivePeople.class);
            people.rename("before", ID);
            reactive.rename("before", ID).block();
            wire.cut();
            people.rename("fills it", ID);
            assertFull(catchThrowable(() -> people.rename("blocking", ID)));
            assertFull(catchThrowable(() -> writers.writeLater("later").join()).getCause());
            assertFull(catchThrowable(() -> reactive.rename("reactive", ID).block()));
        });
    }

    private static void assertFull(Throwable failure) {
        assertThat(failure).isInstanceOf(DataAccessException.class).isNotInstanceOf(BacklogException.class);
        assertThat(failure.getSuppressed())
                .anySatisfy(full -> assertThat(full)
                        .isInstanceOfSatisfying(
                                BacklogException.class,
                                reason -> assertThat(reason.reason()).isEqualTo(BacklogException.Reason.FULL)));
    }

    @Test
    void halfOfAnOperationIsNotKept() {
        run(context -> {
            Writers writers = context.getBean(Writers.class);
            writers.writeTwice("before").join();
            writers.writeBatch("before");
            wire.cut();
            writers.writeBatch("batch");
            assertThat(context.getBean(WriteBacklog.class).size().entries()).isEqualTo(1);
            assertThat(catchThrowable(() -> writers.writeConditionally("if")).getSuppressed())
                    .extracting(Throwable::getMessage)
                    .anySatisfy(message -> assertThat(message).contains("a conditional statement"));
            assertThat(catchThrowable(() -> writers.writeTwice("two").join())
                            .getCause()
                            .getSuppressed())
                    .extracting(Throwable::getMessage)
                    .anySatisfy(message -> assertThat(message).contains("it sent 2 statements", "as one batch"));
            assertThat(context.getBean(WriteBacklog.class).size().entries()).isEqualTo(1);
        });
    }

    /** By one application, whose backlog is empty before and after. */
    private static void run(Consumer<ApplicationContext> test) {
        ApplicationContext context = shared(properties, Application.class);
        await().until(() -> isConnected(context.getBean(CqlSession.class)));
        try {
            test.accept(context);
        } finally {
            wire.mend();
            awaitDrained(context);
        }
    }

    /** For requests, and to learn of nodes. */
    private static boolean isConnected(CqlSession session) {
        return session.getMetadata().getNodes().values().stream()
                .allMatch(node -> node.getState() == NodeState.UP && node.getOpenConnections() == 2);
    }

    private static List<String> properties(Path directory) {
        return List.of(
                "spring.cassandra.contact-points=127.0.0.1:" + wire.port(),
                "surewrite.backlog.enabled=true",
                "surewrite.backlog.directory=" + directory,
                "surewrite.retry.attempts=2",
                "surewrite.retry.initial-backoff=5ms");
    }

    private static void awaitDrained(ApplicationContext context) {
        WriteBacklog backlog = context.getBean(WriteBacklog.class);
        await().atMost(Duration.ofSeconds(20)).until(() -> backlog.size().entries() == 0);
        assertThat(backlog.size().deadLetters()).isZero();
    }

    private static Row row(UUID id) {
        return session.execute("SELECT name FROM person WHERE id = ?", id).one();
    }

    @Table("person")
    record Person(@Id UUID id, String name) {}

    interface People extends CassandraRepository<Person, UUID> {

        @Override
        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        <S extends Person> S save(S person);

        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        @Query("UPDATE person SET name = ?0 WHERE id = ?1")
        void rename(String name, UUID id);

        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        @Query("/* q17 */ UPDATE person SET name = 'rerun if failed' WHERE id = ?0 // if\n")
        void rerun(UUID id);
    }

    /** Whose methods may not return null, as those of most new code. */
    @NullMarked
    interface Renames extends Repository<Person, UUID> {

        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        @Query("UPDATE person SET name = ?0 WHERE id = ?1")
        WriteReceipt rename(String name, UUID id);
    }

    interface ReactivePeople extends ReactiveCassandraRepository<Person, UUID> {

        @Override
        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        <S extends Person> Mono<S> save(S person);

        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        @Query("UPDATE person SET name = ?0 WHERE id = ?1")
        Mono<Void> rename(String name, UUID id);
    }

    static class Writers {

        private final CassandraTemplate template;
        private final AsyncCqlTemplate async;
        private final ReactivePeople people;

        Writers(CassandraTemplate template, AsyncCqlTemplate async, ReactivePeople people) {
            this.template = template;
            this.async = async;
            this.people = people;
        }

        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        public WriteReceipt write(String name) {
            template.getCqlOperations().execute("UPDATE person SET name = ? WHERE id = ?", name, ID);
            return null;
        }

        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        public CompletableFuture<WriteReceipt> writeLater(String name) {
            return async.execute("UPDATE person SET name = ? WHERE id = ?", name, ID)
                    .thenApply(applied -> null);
        }

        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        public Mono<WriteReceipt> writeReactively(String name) {
            return people.rename(name, ID).then(Mono.empty());
        }

        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        public CompletableFuture<Void> writeTwice(String name) {
            return CompletableFuture.allOf(
                    async.execute("UPDATE person SET name = ? WHERE id = ?", name, ID),
                    async.execute("UPDATE person SET name = ? WHERE id = ?", name, new UUID(4, 2)));
        }

        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        public void writeBatch(String name) {
            template.getCqlOperations()
                    .execute(BatchStatement.newInstance(
                            DefaultBatchType.LOGGED,
                            SimpleStatement.newInstance("UPDATE person SET name = ? WHERE id = ?", name, ID),
                            SimpleStatement.newInstance(
                                    "UPDATE person SET name = ? WHERE id = ?", name, new UUID(4, 2))));
        }

        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        public void writeConditionally(String name) {
            template.getCqlOperations()
                    .execute(
                            SimpleStatement.newInstance("UPDATE person SET name = ? WHERE id = ? IF EXISTS", name, ID));
        }
    }

    @OwnRepositories
    @Import(Writers.class)
    static class Application {

        @Bean
        AsyncCqlTemplate async(SessionFactory sessions) {
            return new AsyncCqlTemplate(sessions);
        }

        @Bean
        DriverConfigLoaderBuilderCustomizer quickReconnection() {
            return config -> config.withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(50))
                    .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofMillis(100));
        }
    }
}
