package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.WithLease;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.UniqueBy;
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
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
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
                    context.getBean(UniqueNotes.class).insert(new Note(ID, "anna"));
                    context.getBean(RetriedNotes.class).save(new Note(ID, "berta"));
                    context.getBean(OverwrittenNotes.class).overwrite(new Note(ID, null));
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

    @UniqueBy("login")
    interface UniqueNotes extends CassandraRepository<Note, UUID> {}

    @Idempotent
    @UniqueBy("login")
    interface RetriedNotes extends CassandraRepository<Note, UUID> {}

    @UniqueBy("login")
    interface OverwrittenNotes extends CassandraRepository<Note, UUID>, OverwriteRepository<Note> {}

    static class Job {

        @WithLease(key = "'quiet-job'")
        public void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters =
                    @Filter(
                            type = FilterType.ASSIGNABLE_TYPE,
                            classes = {UniqueNotes.class, RetriedNotes.class, OverwrittenNotes.class}))
    static class Repositories {}
}
