package io.surewrite.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.Idempotent.WhenExhausted;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.FrameProxy;
import io.surewrite.test.OwnServer;
import io.surewrite.test.SeveralKeyspaces;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueFinder;
import io.surewrite.write.WriteReceipt;
import io.surewrite.write.WriteScope;
import io.surewrite.write.WriteTimestamps;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Primary;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.ReactiveCassandraTemplate;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.cql.session.DefaultBridgedReactiveSession;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;
import org.springframework.data.cassandra.repository.config.EnableReactiveCassandraRepositories;
import org.springframework.data.repository.NoRepositoryBean;

/**
 * An application with two sessions, and repositories on each: the first one is Boot's, the second one is built by the
 * driver's own builder. What is written through one must not show on the other.
 */
@SeveralKeyspaces
abstract class TwoSessionsContract extends CassandraTest {

    @TempDir
    private static Path directory;

    static CqlSession second;
    private static FrameProxy wire;
    private static ConfigurableApplicationContext application;

    /** Called by the subclass once both keyspaces are there. */
    static void start(InetSocketAddress server, String datacenter, String secondKeyspace) {
        second = OwnServer.patient(server, datacenter)
                .withKeyspace(secondKeyspace)
                .build();
        wire = FrameProxy.to(server);
        for (CqlSession each : List.of(session, second)) {
            each.execute("CREATE TABLE person (id uuid PRIMARY KEY, login text, city text)");
            each.execute("CREATE TABLE member (id uuid PRIMARY KEY, login text, city text)");
        }
        application = new SpringApplicationBuilder(Application.class, FirstRepositories.class, SecondRepositories.class)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .properties(connection())
                .properties(
                        "second.port=" + wire.port(),
                        "second.datacenter=" + datacenter,
                        "second.keyspace=" + secondKeyspace,
                        "surewrite.schema.initialize=always",
                        "surewrite.journal.enabled=true",
                        "surewrite.backlog.enabled=true",
                        "surewrite.backlog.directory=" + directory)
                .run();
    }

    /** Called by the subclass while the keyspaces are still there. */
    static void stop() {
        SpringApplication.exit(application);
        second.close();
        wire.close();
    }

    static Stream<Arguments> writes() {
        return Stream.of(
                        write("person", People.class, "save", People::save),
                        write("person", People.class, "overwrite", People::overwrite),
                        write("member", Members.class, "guarded insert", (all, row) -> all.insert(member(row))),
                        write("member", Members.class, "guarded save", (all, row) -> all.save(member(row))),
                        write(
                                "person",
                                ReactivePeople.class,
                                "reactive save",
                                (all, row) -> all.save(row).block()),
                        write(
                                "member",
                                ReactiveMembers.class,
                                "reactive guarded save",
                                (all, row) -> all.save(member(row)).block()))
                .flatMap(both -> both);
    }

    /** On the first session, and on the second one. */
    private static <R> Stream<Arguments> write(String table, Class<R> type, String what, BiConsumer<R, Person> write) {
        return Stream.of(
                Arguments.of(what, "First", table, type, write), Arguments.of(what, "Second", table, type, write));
    }

    @ParameterizedTest(name = "{0} on the session {1}")
    @MethodSource("writes")
    <R> void aWriteLandsWhereItsRepositoryPointsAndNowhereElse(
            String what, String side, String table, Class<R> type, BiConsumer<R, Person> write) {
        Person row = person();
        write.accept(repository(type, side), row);
        assertThat(count(own(side), table, row.id())).as("where it belongs").isEqualTo(1);
        assertThat(count(other(side), table, row.id())).as("elsewhere").isZero();
        if (table.equals("member")) {
            assertThat(claims(own(side), row.login())).isEqualTo(1);
            assertThat(claims(other(side), row.login())).as("claims elsewhere").isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("sides")
    void aValueIsUniqueOnItsSession(String side) {
        Person row = person();
        repository(Members.class, side).insert(member(row));
        assertThatThrownBy(
                        () -> repository(Members.class, side).insert(new Member(UUID.randomUUID(), row.login(), null)))
                .isInstanceOf(DuplicateValueException.class);
        assertThat(finder(side).findKey("member.login", row.login())).contains(Map.of("id", row.id()));
        assertThat(finder(side.equals("First") ? "Second" : "First").findKey("member.login", row.login()))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("sides")
    void featuresUseTheirSession(String side) {
        Person row = person();
        boolean first = side.equals("First");
        (first ? application.getBean(RowOverwrites.class) : set().rowOverwrites()).overwrite(row);
        AttributeJournal journal = first ? application.getBean(AttributeJournal.class) : set().attributeJournal();
        journal.record(row.login(), Map.of("city", "Jena"), Instant.now());
        assertThat(count(own(side), "person", row.id())).isEqualTo(1);
        assertThat(count(other(side), "person", row.id())).isZero();
        assertThat(journal.current(row.login()).attributes()).isNotEmpty();
        String query = "SELECT count(*) FROM surewrite_journal WHERE entity = ? ALLOW FILTERING";
        assertThat(set().attributeJournal().current("nobody").attributes()).isEmpty(); // its tables are there now
        assertThat(number(other(side), query, row.login())).isZero();
    }

    @Test
    void leasesOfTwoSessionsAreTwo() {
        String name = "name-" + UUID.randomUUID();
        try (Lease first =
                        application.getBean(LeaseLocks.class).tryAcquire(name).orElseThrow();
                Lease other = set().leaseLocks().tryAcquire(name).orElseThrow()) {
            assertThat(first.isHeld()).isTrue();
            assertThat(other.isHeld()).isTrue();
            assertThat(leases(session, name)).isEqualTo(1);
            assertThat(leases(second, name)).isEqualTo(1);
        }
    }

    /** With one timestamp: the tables are two, whatever their names. */
    @Test
    void oneLogicalWriteMayWriteARowOnEachSession() {
        Person saved = person();
        Person otherSaved = new Person(saved.id(), saved.login(), "another town");
        WriteScope.at(WriteTimestamps.of(session).draw()).call(() -> {
            repository(People.class, "First").save(saved);
            return repository(People.class, "Second").save(otherSaved);
        });
        assertThat(second.execute("SELECT city FROM person WHERE id = ?", saved.id())
                        .one()
                        .getString(0))
                .isEqualTo("another town");
    }

    @Test
    void whatIsKeptWhileAClusterIsAwayIsDoneThere() {
        SecondKept kept = application.getBean(SecondKept.class);
        Writers writers = application.getBean(Writers.class);
        kept.save(person()); // prepared once while the cluster is there, on both sessions
        writers.write(person());
        repository(People.class, "First").save(person());
        Person byRepository = person();
        Person byTemplate = person();
        Person byHand = person();
        wire.cut();
        System.gc(); // the driver holds what it prepared weakly
        kept.save(byRepository);
        assertThat(writers.write(byTemplate)).isEqualTo(WriteReceipt.KEPT);
        assertThat(set().writeBacklog()
                        .put("by hand", SimpleStatement.newInstance("INSERT INTO person (id) VALUES (?)", byHand.id())))
                .isEqualTo(WriteReceipt.KEPT);
        wire.mend();
        WriteBacklog backlog = application.getBean(WriteBacklog.class);
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(backlog.size().entries()).isZero());
        assertThat(backlog.deadLetters(0, 10)).isEmpty();
        for (Person row : List.of(byRepository, byTemplate, byHand)) {
            assertThat(count(second, "person", row.id())).isEqualTo(1);
            assertThat(count(session, "person", row.id())).isZero();
        }
    }

    static Stream<String> sides() {
        return Stream.of("First", "Second");
    }

    private static <R> R repository(Class<R> type, String side) {
        return application.getBeansOfType(type).values().stream()
                .filter(one -> Stream.of(one.getClass().getInterfaces())
                        .anyMatch(each -> each.getSimpleName().startsWith(side)))
                .findFirst()
                .orElseThrow();
    }

    private static SureSession set() {
        return application.getBean(SureSession.class);
    }

    private static UniqueFinder finder(String side) {
        return side.equals("First") ? application.getBean(UniqueFinder.class) : set().uniqueFinder();
    }

    private static CqlSession own(String side) {
        return side.equals("First") ? session : second;
    }

    private static CqlSession other(String side) {
        return side.equals("First") ? second : session;
    }

    private static Person person() {
        UUID id = UUID.randomUUID();
        return new Person(id, "login-" + id, null);
    }

    private static Member member(Person person) {
        return new Member(person.id(), person.login(), person.city());
    }

    private static long count(CqlSession session, String table, UUID id) {
        return number(session, "SELECT count(*) FROM " + table + " WHERE id = ?", id);
    }

    private static long claims(CqlSession session, String login) {
        return session.execute("SELECT value FROM surewrite_claim").all().stream()
                .filter(row -> String.valueOf(row.getString(0)).contains(login))
                .count();
    }

    private static long leases(CqlSession session, String name) {
        return number(session, "SELECT count(*) FROM surewrite_lease WHERE name = ?", name);
    }

    private static long number(CqlSession session, String query, Object value) {
        Row row = session.execute(
                        SimpleStatement.newInstance(query, value).setConsistencyLevel(ConsistencyLevel.SERIAL))
                .one();
        return row.getLong(0);
    }

    @Table("person")
    record Person(
            @PrimaryKey UUID id, String login, @Nullable String city) {}

    @Table("member")
    record Member(
            @PrimaryKey UUID id, String login, @Nullable String city) {}

    @NoRepositoryBean
    interface People extends CassandraRepository<Person, UUID>, OverwriteRepository<Person> {

        @Override
        @Idempotent
        <S extends Person> S save(S person);
    }

    interface FirstPeople extends People, OverwriteRepository<Person> {}

    interface SecondPeople extends People, OverwriteRepository<Person> {}

    interface SecondKept extends CassandraRepository<Person, UUID> {

        @Override
        @Idempotent(whenExhausted = WhenExhausted.BACKLOG, deadline = "1s")
        <S extends Person> S save(S person);
    }

    static class Writers {

        private final CassandraTemplate template;

        Writers(CassandraTemplate template) {
            this.template = template;
        }

        @Idempotent(whenExhausted = WhenExhausted.BACKLOG, deadline = "1s")
        WriteReceipt write(Person person) {
            template.insert(person);
            return WriteReceipt.WRITTEN;
        }
    }

    @NoRepositoryBean
    interface Members extends CassandraRepository<Member, UUID> {}

    @UniqueBy("login")
    interface FirstMembers extends Members {}

    @UniqueBy("login")
    interface SecondMembers extends Members {}

    @NoRepositoryBean
    interface ReactivePeople extends ReactiveCassandraRepository<Person, UUID> {}

    interface FirstReactivePeople extends ReactivePeople {}

    @Idempotent
    interface SecondReactivePeople extends ReactivePeople {}

    @NoRepositoryBean
    interface ReactiveMembers extends ReactiveCassandraRepository<Member, UUID> {}

    @UniqueBy("login")
    interface FirstReactiveMembers extends ReactiveMembers {}

    @UniqueBy("login")
    interface SecondReactiveMembers extends ReactiveMembers {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        @Primary
        CqlSession first(CqlSessionBuilder builder) {
            return builder.build();
        }

        @Bean
        CqlSession second(
                @Value("${second.port}") int port,
                @Value("${second.datacenter}") String datacenter,
                @Value("${second.keyspace}") String keyspace) {
            return OwnServer.patient(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), datacenter)
                    .withKeyspace(keyspace)
                    .build();
        }

        @Bean
        @Primary
        CassandraTemplate firstTemplate(CqlSession session, CassandraConverter converter) {
            return new CassandraTemplate(session, converter);
        }

        @Bean
        CassandraTemplate secondTemplate(@Qualifier("second") CqlSession session) {
            return new CassandraTemplate(session);
        }

        @Bean
        @Primary
        ReactiveCassandraTemplate firstReactiveTemplate(CqlSession session, CassandraConverter converter) {
            return new ReactiveCassandraTemplate(new DefaultBridgedReactiveSession(session), converter);
        }

        @Bean
        ReactiveCassandraTemplate secondReactiveTemplate(@Qualifier("second") CqlSession session) {
            return new ReactiveCassandraTemplate(new DefaultBridgedReactiveSession(session));
        }

        @Bean
        Writers writers(@Qualifier("secondTemplate") CassandraTemplate template) {
            return new Writers(template);
        }

        @Bean
        SureSession secondSet(SureSessions sessions, @Qualifier("secondTemplate") CassandraTemplate template) {
            return sessions.of(template);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            cassandraTemplateRef = "firstTemplate",
            excludeFilters = @Filter(type = FilterType.REGEX, pattern = "(?!.*TwoSessionsContract\\$First).*"))
    @EnableReactiveCassandraRepositories(
            considerNestedRepositories = true,
            reactiveCassandraTemplateRef = "firstReactiveTemplate",
            excludeFilters = @Filter(type = FilterType.REGEX, pattern = "(?!.*TwoSessionsContract\\$First).*"))
    static class FirstRepositories {}

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            cassandraTemplateRef = "secondTemplate",
            excludeFilters = @Filter(type = FilterType.REGEX, pattern = "(?!.*TwoSessionsContract\\$Second).*"))
    @EnableReactiveCassandraRepositories(
            considerNestedRepositories = true,
            reactiveCassandraTemplateRef = "secondReactiveTemplate",
            excludeFilters = @Filter(type = FilterType.REGEX, pattern = "(?!.*TwoSessionsContract\\$Second).*"))
    static class SecondRepositories {}
}
