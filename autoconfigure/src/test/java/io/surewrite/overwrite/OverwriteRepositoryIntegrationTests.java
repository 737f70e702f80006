package io.surewrite.overwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnRepositories;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.annotation.LastModifiedDate;
import org.springframework.data.annotation.Version;
import org.springframework.data.cassandra.config.EnableCassandraAuditing;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.core.mapping.event.AfterSaveEvent;
import org.springframework.data.cassandra.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.cassandra.core.mapping.event.BeforeSaveCallback;
import org.springframework.data.cassandra.core.mapping.event.BeforeSaveEvent;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.MapIdCassandraRepository;

class OverwriteRepositoryIntegrationTests extends CassandraTest {

    private final UUID id = UUID.randomUUID();
    private final ApplicationContext context = shared(List.of(), Repositories.class);

    @Table("person")
    record Person(
            @PrimaryKey UUID id,
            String name,
            String city,
            @LastModifiedDate Instant changed) {}

    @Table("account")
    record Account(
            @PrimaryKey UUID id,
            String name,
            String city,
            @Version Long version) {}

    @Table("line")
    record Line(
            @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED)
            String page,

            @PrimaryKeyColumn int number,
            String text,
            String note) {}

    interface Persons extends CassandraRepository<Person, UUID>, OverwriteRepository<Person> {}

    @Overwriting
    interface OverwritingPersons extends CassandraRepository<Person, UUID> {}

    @Overwriting(false)
    interface SavingPersons extends CassandraRepository<Person, UUID> {}

    interface Accounts extends CassandraRepository<Account, UUID>, OverwriteRepository<Account> {}

    interface Lines extends MapIdCassandraRepository<Line>, OverwriteRepository<Line> {}

    interface OwnSave<T> {
        <S extends T> S save(S entity);
    }

    public static final class OwnSaveImpl implements OwnSave<Person> {
        @Override
        public <S extends Person> S save(S entity) {
            throw new UnsupportedOperationException("my own save");
        }
    }

    @Overwriting
    interface PersonsWithTheirOwnSave extends CassandraRepository<Person, UUID>, OwnSave<Person> {}

    @OwnRepositories
    static class Repositories {}

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraAuditing
    static class Callbacks {

        private final List<String> heard = new ArrayList<>();

        @Bean
        BeforeConvertCallback<Person> shout() {
            return (person, table) ->
                    new Person(person.id(), person.name().toUpperCase(Locale.ROOT), person.city(), person.changed());
        }

        @Bean
        BeforeSaveCallback<Person> hear() {
            return (person, table, statement) -> {
                heard.add("callback " + person.name() + " " + table + " "
                        + statement.getClass().getSimpleName());
                return person;
            };
        }

        @EventListener
        void before(BeforeSaveEvent<Person> event) {
            heard.add("before " + event.getSource().name());
        }

        @EventListener
        void after(AfterSaveEvent<Person> event) {
            heard.add("after " + event.getSource().name());
        }
    }

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE person (id uuid PRIMARY KEY, name text, city text, changed timestamp)");
        session.execute("CREATE TABLE account (id uuid PRIMARY KEY, name text, city text, version bigint)");
        session.execute("CREATE TABLE line (page text, number int, text text, note text, PRIMARY KEY (page, number))");
    }

    @Test
    void addsOverwritesToARepositoryThatAsksForThem() {
        Persons persons = context.getBean(Persons.class);
        persons.overwrite(new Person(id, "Ann", "Bonn", null));
        Person changed = new Person(id, "Ann", null, null);

        assertThat(persons.overwrite(changed)).isEqualTo(changed);

        assertThat(persons.findById(id)).contains(changed);
        persons.overwrite(changed, OverwriteOptions.none().detectingTies());
        persons.overwriteAll(List.of(new Person(id, null, null, Instant.ofEpochMilli(1))));
        assertThat(persons.findById(id)).contains(new Person(id, null, null, Instant.ofEpochMilli(1)));
        tombstones(0);
    }

    @Test
    void replacesAPartitionOfTheRepositorysOwnType() {
        Lines lines = context.getBean(Lines.class);
        lines.overwriteAll(List.of(new Line("p", 1, "a", null), new Line("p", 2, "b", null)));

        lines.overwritePartition("p", List.of(new Line("p", 2, null, "c")));
        assertThat(lines.findAll()).containsExactly(new Line("p", 2, null, "c"));

        lines.overwritePartition("p", List.of());
        assertThat(lines.findAll()).isEmpty();
    }

    @Test
    void leavesSaveAloneByDefault() {
        context.getBean(Persons.class).save(new Person(id, "Ann", null, null));

        tombstones(2);
    }

    @Test
    void overwritesOnSaveInAnAnnotatedRepository() {
        OverwritingPersons persons = context.getBean(OverwritingPersons.class);
        persons.save(new Person(id, "Ann", "Bonn", null));
        Person changed = new Person(id, "Ann", null, null);

        assertThat(persons.save(changed)).isEqualTo(changed);
        assertThat(persons.saveAll(List.of(changed))).containsExactly(changed);

        assertThat(persons.findById(id)).contains(changed);
        tombstones(0);
        context.getBean(SavingPersons.class).save(changed);
        tombstones(2);
    }

    @Test
    void overwritesOnSaveEverywhereIfToldSo() {
        application()
                .withUserConfiguration(Repositories.class)
                .withPropertyValues("surewrite.overwrite.on-save=true")
                .run(context -> {
                    context.getBean(Persons.class).save(new Person(id, "Ann", null, null));
                    tombstones(0);
                    context.getBean(SavingPersons.class).save(new Person(id, "Ann", null, null));
                    tombstones(2);
                });
    }

    @Test
    void keepsASaveThatTheApplicationWroteItself() {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(
                        () -> context.getBean(PersonsWithTheirOwnSave.class).save(new Person(id, "Ann", null, null)))
                .withMessage("my own save");
    }

    @Test
    void updatesConditionallyWhatHasAVersion() {
        Accounts accounts = context.getBean(Accounts.class);

        Account first = accounts.overwrite(new Account(id, "Ann", "Bonn", null));
        Account second = accounts.overwrite(new Account(id, null, "Bonn", first.version()));

        assertThat(second.version()).isEqualTo(first.version() + 1);
        assertThat(accounts.findById(id)).contains(second);
        assertThatExceptionOfType(OptimisticLockingFailureException.class)
                .isThrownBy(() -> accounts.overwrite(new Account(id, "Eve", null, first.version())));
        assertThatExceptionOfType(OptimisticLockingFailureException.class)
                .isThrownBy(() -> accounts.overwrite(new Account(id, "Eve", null, null)));
        assertThatExceptionOfType(OverwriteException.class)
                .isThrownBy(
                        () -> accounts.overwrite(second, OverwriteOptions.none().detectingTies()));
    }

    @Test
    void takesPartInCallbacksAuditingAndEvents() {
        application().withUserConfiguration(Repositories.class, Callbacks.class).run(context -> {
            Person written = context.getBean(Persons.class).overwrite(new Person(id, "ann", null, null));

            assertThat(written.name()).isEqualTo("ANN");
            assertThat(written.changed()).isNotNull();
            assertThat(context.getBean(Persons.class).findById(id))
                    .map(Person::name)
                    .contains("ANN");
            assertThat(context.getBean(Callbacks.class).heard)
                    .containsExactly("before ANN", "callback ANN person DefaultBoundStatement", "after ANN");
        });
    }

    private void tombstones(long expected) {
        assertThat(OverwriteFixture.tombstones(session, "SELECT * FROM person WHERE id = ?", id))
                .isEqualTo(expected);
    }
}
