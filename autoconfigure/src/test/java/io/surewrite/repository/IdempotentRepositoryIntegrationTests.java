package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.lease.WithLease;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.ObservedMeters;
import io.surewrite.test.OwnRepositories;
import io.surewrite.testsupport.InEachCell;
import io.surewrite.write.ReactiveWriteScope;
import io.surewrite.write.RowWrittenTwiceException;
import io.surewrite.write.WriteScope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.mapping.CassandraType;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.cassandra.core.mapping.event.BeforeSaveCallback;
import org.springframework.data.cassandra.core.mapping.event.ReactiveBeforeSaveCallback;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Repositories on a real server whose first attempts go wrong. */
@InEachCell(InEachCell.Subject.RETRY)
@ExtendWith(OutputCaptureExtension.class)
class IdempotentRepositoryIntegrationTests extends CassandraTest {

    private static final UUID ID = UUID.fromString("00000000-0000-4000-8000-000000000001");

    /** The scope of every attempt, and what happens in it. */
    private static final List<WriteScope> ATTEMPTS = Collections.synchronizedList(new ArrayList<>());

    private static Runnable fault = () -> {};

    private final ApplicationContext context = shared(
            List.of("surewrite.retry.attempts=3", "surewrite.retry.initial-backoff=1ms"),
            App.class,
            ObservedMeters.class);
    private final People people = context.getBean(People.class);
    private final ReactivePeople reactive = context.getBean(ReactivePeople.class);
    private final Events events = context.getBean(Events.class);
    private final Tickets tickets = context.getBean(Tickets.class);

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE person (id uuid PRIMARY KEY, name text, tags set<text>)");
        session.execute("CREATE TABLE event (id timeuuid PRIMARY KEY, what text)");
        session.execute("CREATE TABLE ticket (code text PRIMARY KEY, what text)");
        session.execute("CREATE KEYSPACE elsewhere WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
        session.execute("CREATE TABLE elsewhere.person (id uuid PRIMARY KEY, name text)");
    }

    @BeforeEach
    void empty() {
        session.execute("TRUNCATE person");
        session.execute("TRUNCATE event");
        ATTEMPTS.clear();
        fault = () -> {};
    }

    @Test
    void retriesASaveWithOneTimestamp() {
        failing(2);
        people.save(new Person(ID, "Ann", Set.of("a")));
        assertOneTimestamp(3);
        assertThat(writetime()).isEqualTo(ATTEMPTS.get(0).timestamp());
        assertThat(ATTEMPTS).allMatch(WriteScope::idempotent);
    }

    @Test
    void retriesFragments() {
        failing(1);
        people.saveByFragment(new Person(ID, "Ann", null));
        assertOneTimestamp(2);
    }

    @Test
    void retriesDefaultMethods() {
        failing(1);
        people.saveTwice(new Person(ID, "Ann", null));
        assertThat(ATTEMPTS).hasSize(3);
        assertThat(ATTEMPTS.stream().map(WriteScope::timestamp).distinct()).hasSize(1);
    }

    @Test
    void joinsTheScopeOfItsCaller() {
        failing(1);
        WriteScope.at(4711).call(() -> people.save(new Person(ID, "Ann", null)));
        assertThat(ATTEMPTS).hasSize(2).allMatch(scope -> scope.timestamp() == 4711);
        assertThat(writetime()).isEqualTo(4711);
    }

    @Test
    void retriesReactiveSavesWithOneTimestampASubscription() {
        failing(2);
        Mono<Person> save = reactive.save(new Person(ID, "Ann", null));
        assertThat(ATTEMPTS).isEmpty();
        save.block();
        assertOneTimestamp(3);
        assertThat(writetime()).isEqualTo(ATTEMPTS.get(0).timestamp());
        ATTEMPTS.clear();
        save.block();
        assertThat(writetime()).isEqualTo(ATTEMPTS.get(0).timestamp());
    }

    @Test
    void retriesEachElementOfAStreamWithATimestampOfItsOwn() {
        UUID other = UUID.randomUUID();
        fault = () -> {
            if (ATTEMPTS.size() == 2) {
                throw new DriverTimeoutException("late");
            }
        };
        List<Person> saved = reactive.saveAll(Flux.just(new Person(ID, "Ann", null), new Person(other, "Bea", null)))
                .collectList()
                .block();
        assertThat(saved).extracting(Person::id).containsExactlyInAnyOrder(ID, other);
        assertThat(ATTEMPTS).hasSize(3);
        assertThat(ATTEMPTS.stream().map(WriteScope::timestamp).distinct()).hasSize(2);

        List<String> names =
                reactive.names().map(Person::name).sort().collectList().block();
        assertThat(names).containsExactly("Ann", "Bea");
    }

    @Test
    void makesNoSecondRowOfAnEntityWithoutId() {
        failing(2);
        Event saved = events.save(new Event(null, "login"));
        assertThat(saved.id().version()).isEqualTo(1);
        assertThat(events.findAll()).containsExactly(saved);
        assertThat(ATTEMPTS).hasSize(3);
    }

    /** A's first attempt is lost, B writes, A tries again: B is the newer decision and must stand. */
    @Test
    void aLateRetryDoesNotOverrideANewerWrite() {
        fault = () -> {
            if (ATTEMPTS.size() == 1) {
                session.execute("UPDATE person SET name = 'B' WHERE id = ?", ID);
                throw new DriverTimeoutException("the first attempt of A is lost");
            }
        };
        people.save(new Person(ID, "A", null));
        assertThat(ATTEMPTS).hasSize(2);
        assertThat(name()).isEqualTo("B");
    }

    /** Two rows of one timestamp would be settled cell by cell, in silence. */
    @Test
    void refusesOneRowTwiceInOneLogicalWrite() {
        Person ann = new Person(ID, "Ann", Set.of("a"));
        Person bea = new Person(ID, "Bea", null);
        CassandraTemplate template = context.getBean(CassandraTemplate.class);
        refused(() -> people.saveAll(List.of(ann, bea)));
        refused(() -> reactive.saveAll(List.of(ann, bea)).blockLast());
        assertThat(ATTEMPTS).as("nothing was sent").isEmpty();

        people.saveAll(List.of(ann, ann, new Person(null, "Cid", null), new Person(null, "Dan", null)));
        reactive.saveAll(List.of(bea, bea)).blockLast();
        assertThat(name()).isEqualTo("Bea");

        WriteScope.at(Long.MAX_VALUE / 2).call(() -> {
            people.insert(ann);
            refused(() -> people.save(bea));
            refused(() -> reactive.save(bea).block());
            refused(() -> template.insert(bea));
            refused(() -> template.batchOps().insert(bea).execute());
            template.update(new Person(ID, "Ann", Set.of("a")));
            return people.save(ann);
        });
        WriteScope scope = WriteScope.at(Long.MAX_VALUE / 2 + 1);
        refused(() -> reactive.save(ann)
                .then(reactive.insert(bea))
                .contextWrite(ReactiveWriteScope.enter(scope))
                .block());
        assertThat(name()).isEqualTo("Ann");
        people.save(bea);

        WriteScope.at(Long.MAX_VALUE / 2 + 2).call(() -> {
            template.insert(new Person(ID, "Ann", new LinkedHashSet<>(List.of("a", "b"))));
            template.insert(new Person(ID, "Ann", new LinkedHashSet<>(List.of("b", "a"))));
            return template.getCqlOperations()
                    .execute(SimpleStatement.newInstance("INSERT INTO person (id, name) VALUES (?, ?)", ID, "Eve")
                            .setQueryTimestamp(1)); // ties with nothing
        });
        assertThat(name()).isEqualTo("Ann");
    }

    /** Its callback makes another id in each attempt, as a record cannot keep the first. */
    @Test
    void refusesAnEntityWhoseIdIsMadeByEachAttempt() {
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> tickets.save(new Ticket(null, "a")),
                () -> tickets.insert(new Ticket(null, "a")),
                () -> tickets.saveAll(List.of(new Ticket("T1", "b"), new Ticket(null, "a"))))) {
            assertThatThrownBy(call)
                    .isInstanceOf(InvalidDataAccessApiUsageException.class)
                    .hasMessageContaining("Ticket has no code")
                    .hasMessageContaining("Fix: make it before the call");
        }
        assertThat(tickets.findAll()).isEmpty();
        failing(1);
        tickets.save(new Ticket("T1", "b"));
        assertThat(tickets.findAll()).containsExactly(new Ticket("T1", "b"));
    }

    @Test
    void writesTheRowsOfTwoKeyspacesInOneLogicalWrite() {
        PeopleElsewhere elsewhere = context.getBean(PeopleElsewhere.class);
        WriteScope.at(Long.MAX_VALUE / 2).call(() -> {
            people.save(new Person(ID, "Ann", null));
            return elsewhere.save(new PersonElsewhere(ID, "Bea"));
        });
        assertThat(elsewhere.findById(ID).orElseThrow().name()).isEqualTo("Bea");
        assertThat(name()).isEqualTo("Ann");
    }

    private static void refused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(RowWrittenTwiceException.class)
                .hasMessageContaining("a row of table person twice");
    }

    /** A lease is refused inside of a retried call. */
    @Test
    void retriesUnderTheLease() {
        people.renameUnderALease("Bea", ID);
        assertThat(name()).isEqualTo("Bea");
    }

    @Test
    void respectsATimestampInTheText() {
        people.renameAt("Bea", 99, ID);
        assertThat(writetime()).isEqualTo(99);
    }

    private static void assertOneTimestamp(int attempts) {
        assertThat(ATTEMPTS).hasSize(attempts);
        assertThat(ATTEMPTS.stream().map(WriteScope::timestamp).distinct()).hasSize(1);
    }

    private static void failing(int times) {
        fault = () -> {
            if (ATTEMPTS.size() <= times) {
                throw new DriverTimeoutException("late");
            }
        };
    }

    private static void attempt(WriteScope scope) {
        ATTEMPTS.add(scope);
        fault.run();
    }

    private static String name() {
        Row row = session.execute("SELECT name FROM person WHERE id = ?", ID).one();
        return row == null ? null : row.getString(0);
    }

    private static long writetime() {
        return session.execute("SELECT writetime(name) FROM person WHERE id = ?", ID)
                .one()
                .getLong(0);
    }

    @Table
    record Person(@Id UUID id, String name, Set<String> tags) {}

    @Table
    record Ticket(@Id String code, String what) {}

    @Idempotent
    interface Tickets extends CassandraRepository<Ticket, String> {}

    @Table(keyspace = "elsewhere", value = "person")
    record PersonElsewhere(@Id UUID id, String name) {}

    interface PeopleElsewhere extends CassandraRepository<PersonElsewhere, UUID> {}

    @Table
    record Event(
            @Id @CassandraType(type = CassandraType.Name.TIMEUUID)
            UUID id,

            String what) {}

    @Idempotent
    interface People extends CassandraRepository<Person, UUID>, PeopleFragment {

        @WithLease(key = "#name")
        @Query("UPDATE person SET name = ?0 WHERE id = ?1")
        void renameUnderALease(String name, UUID id);

        @Query("UPDATE person USING TIMESTAMP ?1 SET name = ?0 WHERE id = ?2")
        void renameAt(String name, long timestamp, UUID id);

        default void saveTwice(Person person) {
            insert(person);
            save(person);
        }
    }

    interface PeopleFragment {

        @Idempotent
        void saveByFragment(Person person);
    }

    @Component
    record PeopleFragmentImpl(CassandraTemplate template) implements PeopleFragment {

        @Override
        public void saveByFragment(Person person) {
            template.insert(person);
        }
    }

    @Idempotent
    interface Events extends CassandraRepository<Event, UUID> {}

    @Idempotent
    interface ReactivePeople extends ReactiveCassandraRepository<Person, UUID> {

        @Query("SELECT * FROM person")
        Flux<Person> names();
    }

    @OwnRepositories
    static class App {

        @Bean
        BeforeConvertCallback<Ticket> codes() {
            return (ticket, table) -> ticket.code() != null
                    ? ticket
                    : new Ticket(UUID.randomUUID().toString(), ticket.what());
        }

        @Bean
        BeforeSaveCallback<Object> faults() {
            return (entity, table, statement) -> {
                attempt(WriteScope.current());
                return entity;
            };
        }

        @Bean
        ReactiveBeforeSaveCallback<Object> reactiveFaults() {
            return (entity, table, statement) -> Mono.deferContextual(context -> {
                attempt(ReactiveWriteScope.current(context));
                return Mono.just(entity);
            });
        }
    }
}
