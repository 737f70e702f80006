package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.data.CqlVector;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.WithLease;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnServer;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.UniqueBy;
import io.surewrite.write.WriteScope;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.cassandra.core.cql.CqlOperations;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/** A start on a server with nothing wrong warns of nothing: neither we nor the driver, which logs the server's warnings. */
@Isolated("hears all that is logged")
@LongLane
class QuietStartIntegrationTests extends CassandraTest {

    private static final UUID ID = UUID.randomUUID();

    private final Warnings warnings = new Warnings();

    @TempDir
    private Path directory;

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE quiet_note (id uuid PRIMARY KEY, login text)");
    }

    @BeforeEach
    void listen() {
        warnings.setContext(root().getLoggerContext());
        warnings.start();
        root().addAppender(warnings);
    }

    @AfterEach
    void stopListening() {
        root().detachAppender(warnings);
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    @Test
    void withVectorSearches() {
        session.execute("CREATE TABLE quiet_text (id uuid PRIMARY KEY, \"Meaning\" vector<float, 2>)");
        session.execute("CREATE INDEX quiet_meaning ON quiet_text (\"Meaning\") USING 'sai'");
        // Of the index itself a server warns.
        Awaitility.await().untilAsserted(() -> assertThat(warnings.heard).isNotEmpty());
        warnings.heard.clear();
        isQuiet(OwnServer.with(SearchedTexts.class, application()), context -> {
            SearchedTexts texts = context.getBean(SearchedTexts.class);
            texts.save(new Text(ID));
            assertThat(texts.searchByLiteral()).isEmpty();
            assertThat(texts.searchByValue(CqlVector.newInstance(0.1f, 0.2f))).isEmpty();
            SimpleStatement search = SimpleStatement.newInstance(
                    "select id from quiet_text\n order  by \"Meaning\"\n ann  of [0.1, 0.2] limit 1");
            assertThat(WriteScope.at(1)
                            .<Object>call(
                                    () -> context.getBean(CqlOperations.class).queryForList(search)))
                    .isNotNull();
        });
    }

    @Test
    void withAllOfThem() {
        isQuiet(
                application()
                        .withUserConfiguration(Repositories.class)
                        .withBean(Job.class)
                        .withPropertyValues(
                                "surewrite.journal.enabled=true",
                                "surewrite.backlog.enabled=true",
                                "surewrite.backlog.directory=" + directory),
                context -> {
                    context.getBean(Notes.class).insert(new Note(ID, "anna"));
                    context.getBean(Notes.class).save(new Note(ID, "berta"));
                    context.getBean(Notes.class).overwrite(new Note(ID, null));
                    context.getBean(Job.class).run();
                    context.getBean(LeaseLocks.class)
                            .tryAcquire("quiet")
                            .orElseThrow()
                            .close();
                    assertThat(context.getBean(AttributeJournal.class)).isNotNull();
                });
    }

    /** A planted query shows that what a server warns of is heard. */
    @Test
    void hearsWhatAServerWarnsOf() {
        session.execute("SELECT value FROM system_views.settings WHERE name = 'authenticator'");
        // The driver logs it after the answer.
        Awaitility.await()
                .untilAsserted(() -> assertThat(warnings.heard)
                        .singleElement()
                        .asString()
                        .contains("'authenticator' is deprecated"));
    }

    private void isQuiet(ApplicationContextRunner application, Consumer<ApplicationContext> use) {
        application.run(context -> {
            assertThat(context).hasNotFailed();
            use.accept(context);
        });
        // The session is closed: nothing is logged any more.
        assertThat(warnings.heard).isEmpty();
    }

    private static final class Warnings extends AppenderBase<ILoggingEvent> {

        private final Queue<String> heard = new ConcurrentLinkedQueue<>();

        @Override
        protected void append(ILoggingEvent event) {
            boolean concerned =
                    List.of("io.surewrite.", "com.datastax.").stream().anyMatch(event.getLoggerName()::startsWith);
            if (concerned && event.getLevel().isGreaterOrEqual(Level.WARN)) {
                heard.add("%s: %s".formatted(event.getLoggerName(), event.getFormattedMessage()));
            }
        }
    }

    @Table("quiet_note")
    record Note(@PrimaryKey UUID id, @Nullable String login) {}

    @Idempotent
    @UniqueBy("login")
    interface Notes extends CassandraRepository<Note, UUID>, OverwriteRepository<Note> {}

    @Table("quiet_text")
    record Text(@PrimaryKey UUID id) {}

    interface SearchedTexts extends CassandraRepository<Text, UUID> {

        @Override
        @Idempotent
        <S extends Text> S save(S text);

        @Query("SELECT id FROM quiet_text ORDER BY \"Meaning\" ANN OF [0.1, 0.2] LIMIT 1")
        List<Text> searchByLiteral();

        @Query("SELECT id FROM quiet_text ORDER BY \"Meaning\" ANN OF ?0 LIMIT 1")
        List<Text> searchByValue(CqlVector<Float> meaning);
    }

    static class Job {

        @WithLease(key = "'quiet-job'")
        public void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Notes.class))
    static class Repositories {}
}
