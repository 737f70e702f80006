package io.surewrite.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.internal.session.ScopedCqlSession;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.Idempotent.WhenExhausted;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.UniqueBy;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.write.ReactiveWriteScope;
import io.surewrite.write.WriteScope;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraReactiveAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Primary;
import org.springframework.data.cassandra.config.AbstractReactiveCassandraConfiguration;
import org.springframework.data.cassandra.core.AsyncCassandraTemplate;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.convert.MappingCassandraConverter;
import org.springframework.data.cassandra.core.cql.CqlOperations;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.data.cassandra.core.cql.session.DefaultSessionFactory;
import org.springframework.data.cassandra.core.cql.session.lookup.AbstractRoutingSessionFactory;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;
import org.springframework.data.cassandra.repository.config.EnableReactiveCassandraRepositories;
import reactor.core.publisher.Mono;

/** Applications that make their session and templates themselves. */
class OwnTemplatesIntegrationTests extends CassandraTest {

    private static final long DECIDED = 1_700_000_000_000_000L;

    @TempDir
    private Path directory;

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE note (id uuid PRIMARY KEY, text text)");
    }

    @Test
    void anApplicationWithSpringDatasBaseClassIsInTheScope() {
        application()
                .withUserConfiguration(SpringDatas.class, Repositories.class, ReactiveRepositories.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Notes notes = context.getBean(Notes.class);
                    isPinned(row -> notes.save(row));
                    isPinned(row -> notes.change(row.text(), row.id()));
                    isPinned(row -> context.getBean(CqlTemplate.class)
                            .execute("UPDATE note SET text = ? WHERE id = ?", row.text(), row.id()));
                    isPinned(row -> context.getBean(CqlTemplate.class)
                            .execute((CqlSession raw) ->
                                    raw.execute("INSERT INTO note (id, text) VALUES (?, ?)", row.id(), row.text())));
                    isPinned(row -> ScopedCqlSession.of(session)
                            .execute("INSERT INTO note (id, text) VALUES (?, ?)", row.id(), row.text()));
                    isPinned(row -> context.getBean(AsyncCassandraTemplate.class)
                            .insert(row)
                            .join());
                    ReactiveNotes reactive = context.getBean(ReactiveNotes.class);
                    Note row = note();
                    reactive.save(row)
                            .contextWrite(ReactiveWriteScope.enter(WriteScope.at(DECIDED)))
                            .block();
                    assertThat(written(row)).isEqualTo(DECIDED);

                    // And without the profile of conditional writes.
                    try (var lease = context.getBean(LeaseLocks.class)
                            .tryAcquire("name-" + UUID.randomUUID())
                            .orElseThrow()) {
                        assertThat(lease.isHeld()).isTrue();
                    }
                    Guarded guarded = context.getBean(Guarded.class);
                    Note last = note();
                    guarded.insert(last);
                    guarded.save(new Note(last.id(), last.text() + "!"));
                    guarded.overwrite(last);
                    guarded.delete(last);
                    assertThat(guarded.findById(last.id())).isEmpty();
                });
    }

    @Test
    void aTemplateThatSendsByMeansOfItsOwnIsRefused() {
        refused(OddTemplate.class, Repositories.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("Notes.")
                        .hasStackTraceContaining("its template sends by a ")
                        .hasStackTraceContaining("a later attempt would undo a newer write")
                        .hasStackTraceContaining("Fix: give the template a CqlTemplate")
                        .hasStackTraceContaining("Guarded: its template sends statements in a way of its own"));
    }

    @Test
    @LongLane
    void aTemplateWhoseSessionsChangeIsRefusedWhereOneIsNeeded() {
        refused(RoutingTemplate.class, Repositories.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidConfigurationException.class)
                        .hasMessageContainingAll(
                                "change from call to call",
                                "Give each session a template and repositories of its own."));
    }

    @Test
    @LongLane
    void aWriteMustNotWaitForASessionThatNobodyWouldFindAgain() {
        backlog(HiddenSession.class, KeptRepositories.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidConfigurationException.class)
                        .hasMessageContainingAll("KeptNotes.save", "is no bean", "Fix: define the session as a bean"));
    }

    @Test
    @LongLane
    void aKeptWriteOfWhichNobodyKnowsTheSessionIsRefused() {
        backlog(SecondSession.class).run(context -> {
            assertThat(context).hasNotFailed();
            WriteBacklog backlog = context.getBean(WriteBacklog.class);
            assertThat(backlog.of(null)).isNotSameAs(backlog);
            SimpleStatement change =
                    SimpleStatement.newInstance("UPDATE note SET text = 'x' WHERE id = " + UUID.randomUUID());
            assertThat(backlog.of(null).keep("x", DECIDED, change))
                    .failsWithin(Duration.ofSeconds(5))
                    .withThrowableThat()
                    .havingRootCause()
                    .withMessageContaining("it is not known which of 2 sessions it was sent to")
                    .withMessageContaining("ScopedCqlSession.of(session)");
            assertThat(backlog.of(session.getContext()).keep("x", DECIDED, change))
                    .failsWithin(Duration.ofSeconds(5))
                    .withThrowableThat()
                    .havingRootCause()
                    .withMessageContaining("is no bean");
            assertThat(backlog.size().entries()).isZero();
        });
    }

    private static void isPinned(Consumer<Note> write) {
        Note row = note();
        WriteScope.Opened scope = WriteScope.at(DECIDED).open();
        try {
            write.accept(row);
        } finally {
            scope.close();
        }
        assertThat(written(row)).isEqualTo(DECIDED);
    }

    private static Note note() {
        UUID id = UUID.randomUUID();
        return new Note(id, "text of " + id);
    }

    private static long written(Note row) {
        Row found = session.execute("SELECT WRITETIME(text) FROM note WHERE id = ?", row.id())
                .one();
        assertThat(found).as("the row").isNotNull();
        return found.getLong(0);
    }

    private static ApplicationContextRunner runner() {
        return application().withConfiguration(AutoConfigurations.of(DataCassandraReactiveAutoConfiguration.class));
    }

    private static ApplicationContextRunner refused(Class<?>... configurations) {
        return runner().withUserConfiguration(configurations);
    }

    private ApplicationContextRunner backlog(Class<?>... configurations) {
        return refused(configurations)
                .withPropertyValues("surewrite.backlog.enabled=true", "surewrite.backlog.directory=" + directory);
    }

    @Table("note")
    record Note(@PrimaryKey UUID id, @Nullable String text) {}

    interface Notes extends CassandraRepository<Note, UUID> {

        @Override
        @Idempotent
        <S extends Note> S save(S note);

        @Idempotent
        @Query("UPDATE note SET text = ?0 WHERE id = ?1")
        void change(@Nullable String text, UUID id);
    }

    @UniqueBy("text")
    interface Guarded extends CassandraRepository<Note, UUID>, OverwriteRepository<Note> {}

    interface ReactiveNotes extends ReactiveCassandraRepository<Note, UUID> {

        @Override
        @Idempotent
        <S extends Note> Mono<S> save(S note);
    }

    interface KeptNotes extends CassandraRepository<Note, UUID> {

        @Override
        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        <S extends Note> S save(S note);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            excludeFilters =
                    @Filter(
                            type = FilterType.REGEX,
                            pattern = "(?!.*OwnTemplatesIntegrationTests\\$(Notes|Guarded)$).*"))
    static class Repositories {}

    @Configuration(proxyBeanMethods = false)
    @EnableReactiveCassandraRepositories(
            considerNestedRepositories = true,
            excludeFilters =
                    @Filter(type = FilterType.REGEX, pattern = "(?!.*OwnTemplatesIntegrationTests\\$ReactiveNotes$).*"))
    static class ReactiveRepositories {}

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            cassandraTemplateRef = "hidden",
            excludeFilters =
                    @Filter(type = FilterType.REGEX, pattern = "(?!.*OwnTemplatesIntegrationTests\\$KeptNotes$).*"))
    static class KeptRepositories {}

    /** As Spring Data's reference documents it: session and templates without Boot's builder. */
    @Configuration
    static class SpringDatas extends AbstractReactiveCassandraConfiguration {

        @Override
        protected String getKeyspaceName() {
            return keyspace.name();
        }

        @Override
        protected String getContactPoints() {
            return "127.0.0.1";
        }

        @Override
        protected int getPort() {
            return keyspace.server().contactPoint().getPort();
        }

        @Override
        protected String getLocalDataCenter() {
            return keyspace.server().localDatacenter();
        }

        @Bean
        AsyncCassandraTemplate asyncTemplate(CqlSession session) {
            return new AsyncCassandraTemplate(session);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OddTemplate {

        @Bean
        CassandraTemplate cassandraTemplate(CqlSession session) {
            CqlTemplate behind = new CqlTemplate(session);
            CqlOperations odd = (CqlOperations) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {CqlOperations.class},
                    (proxy, method, arguments) -> method.invoke(behind, arguments));
            return new CassandraTemplate(odd, new MappingCassandraConverter());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class RoutingTemplate {

        @Bean
        CassandraTemplate cassandraTemplate(CqlSession session) {
            AbstractRoutingSessionFactory routing = new AbstractRoutingSessionFactory() {
                @Override
                protected Object determineCurrentLookupKey() {
                    return "tenant";
                }
            };
            routing.setTargetSessionFactories(Map.of("tenant", new DefaultSessionFactory(session)));
            routing.afterPropertiesSet();
            return new CassandraTemplate(routing, new MappingCassandraConverter());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class HiddenSession {

        @Bean
        CassandraTemplate hidden() {
            return new CassandraTemplate(session);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SecondSession {

        @Bean
        @Primary
        CqlSession first(CqlSessionBuilder builder) {
            return builder.build();
        }

        @Bean
        CqlSession second(CqlSessionBuilder builder) {
            return builder.build();
        }
    }
}
