package io.surewrite.overwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.surewrite.test.CassandraTest;
import io.surewrite.write.ReactiveWriteScope;
import io.surewrite.write.WriteScope;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.annotation.Version;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.core.mapping.event.BeforeSaveEvent;
import org.springframework.data.cassandra.core.mapping.event.ReactiveBeforeConvertCallback;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableReactiveCassandraRepositories;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

class ReactiveRowOverwritesIntegrationTests extends CassandraTest {

    /** What readers without a name are converted to, once it is there. */
    private static Sinks.One<Reader> slow = Sinks.one();

    private final UUID id = UUID.randomUUID();
    private final ApplicationContext context = shared(List.of(), Repositories.class);
    private final Readers readers = context.getBean(Readers.class);

    @Table("reader")
    record Reader(@PrimaryKey UUID id, String name, String city, Set<String> books) {}

    @Table("member")
    record Member(@PrimaryKey UUID id, String name, @Version Long version) {}

    @Table("verse")
    record Verse(
            @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED)
            String poem,

            @PrimaryKeyColumn int number,
            String text) {}

    interface Readers extends ReactiveCassandraRepository<Reader, UUID>, ReactiveOverwriteRepository<Reader> {}

    @Overwriting
    interface OverwritingReaders extends ReactiveCassandraRepository<Reader, UUID> {}

    interface Members extends ReactiveCassandraRepository<Member, UUID>, ReactiveOverwriteRepository<Member> {}

    interface Verses extends ReactiveCassandraRepository<Verse, String>, ReactiveOverwriteRepository<Verse> {}

    @Configuration(proxyBeanMethods = false)
    @EnableReactiveCassandraRepositories(considerNestedRepositories = true)
    static class Repositories {

        @Bean
        ReactiveBeforeConvertCallback<Reader> trim() {
            return (reader, table) -> reader.name() != null && reader.name().isEmpty()
                    ? slow.asMono()
                    : Mono.just(new Reader(
                            reader.id(),
                            reader.name() == null ? null : reader.name().strip(),
                            reader.city(),
                            reader.books()));
        }
    }

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE reader (id uuid PRIMARY KEY, name text, city text, books set<text>)");
        session.execute("CREATE TABLE member (id uuid PRIMARY KEY, name text, version bigint)");
        session.execute("CREATE TABLE verse (poem text, number int, text text, PRIMARY KEY (poem, number))");
    }

    @Test
    void overwritesThroughTheRepository() {
        Reader changed = new Reader(id, null, "Ulm", Set.of("b"));

        StepVerifier.create(readers.overwrite(new Reader(id, " Ann ", "Bonn", Set.of("a")))
                        .then(readers.findById(id)))
                .expectNext(new Reader(id, "Ann", "Bonn", Set.of("a")))
                .verifyComplete();
        StepVerifier.create(readers.overwriteAll(List.of(changed)).thenMany(readers.findById(id)))
                .expectNext(changed)
                .verifyComplete();
        noTombstones();
    }

    @Test
    void overwritesOnSaveInAnAnnotatedRepository() {
        OverwritingReaders readers = context.getBean(OverwritingReaders.class);
        Reader reader = new Reader(id, "Ann", null, null);

        StepVerifier.create(readers.save(reader)
                        .thenMany(readers.saveAll(List.of(reader)))
                        .thenMany(readers.saveAll(Flux.just(reader)))
                        .then(readers.findById(id)))
                .expectNextMatches(found -> found.name().equals("Ann"))
                .verifyComplete();
        noTombstones();
    }

    @Test
    void replacesAPartition() {
        Verses verses = context.getBean(Verses.class);
        List<Verse> rows = List.of(new Verse("ode", 2, "b"), new Verse("ode", 3, null));

        StepVerifier.create(verses.overwrite(new Verse("ode", 1, "a"))
                        .thenMany(verses.overwritePartition("ode", rows))
                        .thenMany(verses.findAll()))
                .expectNextSequence(rows)
                .verifyComplete();
        StepVerifier.create(verses.overwritePartition("ode", List.of()).thenMany(verses.findAll()))
                .verifyComplete();
    }

    @Test
    void updatesConditionallyWhatHasAVersion() {
        Members members = context.getBean(Members.class);

        StepVerifier.create(members.overwrite(new Member(id, "Ann", null))
                        .flatMap(first -> members.overwrite(new Member(id, null, first.version())))
                        .flatMap(second -> members.overwrite(new Member(id, "Eve", second.version() - 1))))
                .verifyError(OptimisticLockingFailureException.class);
    }

    @Test
    void takesTheTimestampOfTheLogicalWriteItIsPartOf() {
        Mono<Reader> overwrite = context.getBean(Readers.class).overwrite(new Reader(id, "Ann", null, null));

        StepVerifier.create(overwrite.contextWrite(ReactiveWriteScope.enter(WriteScope.at(4_000_000))))
                .expectNextCount(1)
                .verifyComplete();

        assertThat(session.execute("SELECT WRITETIME(name) FROM reader WHERE id = ?", id)
                        .one()
                        .getLong(0))
                .isEqualTo(4_000_000);
    }

    @Test
    void sendsNothingAfterItsSubscriberHasGivenUp() {
        Reader converted = new Reader(id, "Ann", null, null);
        List<Throwable> dropped = new CopyOnWriteArrayList<>();
        Hooks.onErrorDropped(dropped::add);

        Disposable early = readers.overwrite(new Reader(id, "", null, null)).subscribe();
        early.dispose();
        Disposable withoutRepository = context.getBean(ReactiveRowOverwrites.class)
                .overwrite(new Reader(id, "", null, null))
                .subscribe();
        withoutRepository.dispose();
        assertThat(slow.currentSubscriberCount())
                .as("subscribers of a callback")
                .isZero();

        slow = Sinks.one();
        AtomicBoolean gaveUp = new AtomicBoolean();
        Disposable late = readers.overwrite(new Reader(id, "", null, null)).subscribe();
        ((ConfigurableApplicationContext) context).addApplicationListener((BeforeSaveEvent<?> event) -> {
            late.dispose();
            gaveUp.set(true);
        });
        slow.tryEmitValue(converted);
        await().untilTrue(gaveUp);

        StepVerifier.create(readers.overwrite(new Reader(UUID.randomUUID(), "Eve", null, null))
                        .then(readers.findById(id)))
                .verifyComplete();
        Hooks.resetOnErrorDropped();
        assertThat(dropped).isEmpty();
    }

    private void noTombstones() {
        assertThat(OverwriteFixture.tombstones(session, "SELECT * FROM reader WHERE id = ?", id))
                .isZero();
    }
}
