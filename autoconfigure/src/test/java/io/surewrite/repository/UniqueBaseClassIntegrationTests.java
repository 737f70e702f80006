package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surewrite.test.CassandraTest;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueBy;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.ReactiveCassandraOperations;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;
import org.springframework.data.cassandra.repository.config.EnableReactiveCassandraRepositories;
import org.springframework.data.cassandra.repository.query.CassandraEntityInformation;
import org.springframework.data.cassandra.repository.support.SimpleCassandraRepository;
import org.springframework.data.cassandra.repository.support.SimpleReactiveCassandraRepository;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Code of an application's own in the place of Spring Data's is guarded as that is: a base class, or a fragment. */
class UniqueBaseClassIntegrationTests extends CassandraTest {

    @Table("person")
    record Person(
            @PrimaryKey UUID id, String login, @Nullable String note) {}

    @Table("audit")
    record Audit(@PrimaryKey UUID id, String what) {}

    /** Does something of its own, and goes on as Spring Data does. */
    static class Logging<T, ID> extends SimpleCassandraRepository<T, ID> {

        final CassandraOperations operations;
        final List<Object> saved = new ArrayList<>();

        public Logging(CassandraEntityInformation<T, ID> entity, CassandraOperations operations) {
            super(entity, operations);
            this.operations = operations;
        }

        @Override
        public <S extends T> S save(S entity) {
            saved.add(entity);
            operations.insert(new Audit(UUID.randomUUID(), "save"));
            return super.save(entity);
        }

        @Override
        public void deleteById(ID id) {
            super.deleteById(id);
            saved.clear();
        }

        @Override
        public void deleteAll() {
            super.deleteAll();
            saved.clear();
        }

        public <S extends T> S register(S entity) {
            return operations.insert(entity);
        }

        public void purge(ID id) {
            operations.getCqlOperations().execute("DELETE FROM person WHERE id = ?", id);
        }

        public List<Object> saved() {
            return saved;
        }
    }

    static class ReactiveLogging<T, ID> extends SimpleReactiveCassandraRepository<T, ID> {

        public ReactiveLogging(CassandraEntityInformation<T, ID> entity, ReactiveCassandraOperations operations) {
            super(entity, operations);
        }

        @Override
        public <S extends T> Mono<S> save(S entity) {
            return super.save(entity);
        }

        @Override
        public Mono<Void> deleteById(ID id) {
            return super.deleteById(id);
        }

        @Override
        public Mono<Void> deleteAll() {
            return super.deleteAll();
        }
    }

    /** Keeps the template itself. */
    static class Hiding<T, ID> extends SimpleCassandraRepository<T, ID> {

        final CassandraTemplate template;

        public Hiding(CassandraEntityInformation<T, ID> entity, CassandraOperations operations) {
            super(entity, operations);
            this.template = (CassandraTemplate) operations;
        }

        @Override
        public <S extends T> S save(S entity) {
            return template.insert(entity);
        }
    }

    @UniqueBy("login")
    interface Persons extends CassandraRepository<Person, UUID> {

        Person register(Person person);

        void purge(UUID id);

        List<Object> saved();
    }

    @UniqueBy("login")
    interface ReactivePersons extends ReactiveCassandraRepository<Person, UUID> {}

    @UniqueBy("login")
    interface HiddenPersons extends CassandraRepository<Person, UUID> {}

    interface OwnSave {

        <S extends Person> S save(S person);

        void removeNote(UUID id);
    }

    static class OwnSaveImpl implements OwnSave {

        private final CassandraOperations operations;

        OwnSaveImpl(CassandraOperations operations) {
            this.operations = operations;
        }

        @Override
        public <S extends Person> S save(S person) {
            return operations.insert(person);
        }

        @Override
        public void removeNote(UUID id) {
            operations.getCqlOperations().execute("DELETE note FROM person WHERE id = ?", id);
        }
    }

    @UniqueBy("login")
    interface FragmentedPersons extends CassandraRepository<Person, UUID>, OwnSave {

        @Override
        <S extends Person> S save(S person);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            repositoryBaseClass = Logging.class,
            includeFilters =
                    @Filter(type = FilterType.REGEX, pattern = ".*\\.UniqueBaseClassIntegrationTests\\$Persons"))
    @EnableReactiveCassandraRepositories(
            considerNestedRepositories = true,
            repositoryBaseClass = ReactiveLogging.class,
            includeFilters =
                    @Filter(
                            type = FilterType.REGEX,
                            pattern = ".*\\.UniqueBaseClassIntegrationTests\\$ReactivePersons"))
    static class OwnBaseClass {}

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            repositoryBaseClass = Hiding.class,
            includeFilters =
                    @Filter(type = FilterType.REGEX, pattern = ".*\\.UniqueBaseClassIntegrationTests\\$HiddenPersons"))
    static class HidingBaseClass {}

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters =
                    @Filter(
                            type = FilterType.REGEX,
                            pattern = ".*\\.UniqueBaseClassIntegrationTests\\$(FragmentedPersons|OwnSave.*)"))
    static class OwnFragment {}

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE person (id uuid PRIMARY KEY, login text, note text)");
        session.execute("CREATE TABLE audit (id uuid PRIMARY KEY, what text)");
    }

    @BeforeEach
    void empty() {
        session.execute("TRUNCATE person");
    }

    @Test
    void guardsABaseClassThatGoesOnAsSpringDataDoes() {
        blocking(context());
        reactive(context());
    }

    private static ApplicationContext context() {
        return shared(List.of(), OwnBaseClass.class, HidingBaseClass.class, OwnFragment.class);
    }

    private static void blocking(ApplicationContext context) {
        Persons persons = context.getBean(Persons.class);
        Person ann = person("ann");
        assertThat(persons.save(ann)).isEqualTo(ann);
        assertThat(persons.saved()).containsExactly(ann);
        refused(() -> persons.save(person("ann")));
        refused(() -> persons.saveAll(List.of(person("ann"))));
        refused(() -> persons.insert(person("ann")));
        refused(() -> persons.register(person("ann")));
        List<Person> saved = persons.saveAll(List.of(new Person(ann.id(), "anna", "changed"), person("bob")));
        saved.clear(); // the caller's own, as Spring Data's is
        assertThat(persons.findById(ann.id())).map(Person::note).contains("changed");
        persons.register(person("ann"));
        persons.delete(new Person(ann.id(), "", null));
        assertThat(persons.saved()).as("delete goes on by deleteById").isEmpty();
        persons.save(new Person(ann.id(), "anna", null));
        persons.deleteAllById(List.of(ann.id()));
        persons.save(new Person(ann.id(), "anna", null));
        persons.purge(ann.id());
        persons.save(person("anna"));
        assertThat(persons.count()).isEqualTo(3);
        persons.deleteAll();
        assertThat(persons.count()).isZero();
        persons.saveAll(List.of(person("ann"), person("anna"), person("bob")));
        persons.deleteAll();
    }

    private static void reactive(ApplicationContext context) {
        ReactivePersons persons = context.getBean(ReactivePersons.class);
        Person ann = person("ann");
        StepVerifier.create(persons.save(ann)).expectNext(ann).verifyComplete();
        StepVerifier.create(persons.save(person("ann"))).verifyError(DuplicateValueException.class);
        StepVerifier.create(persons.saveAll(List.of(person("ann")))).verifyError(DuplicateValueException.class);
        StepVerifier.create(persons.deleteById(ann.id()).then(persons.save(person("ann"))))
                .expectNextCount(1)
                .verifyComplete();
        StepVerifier.create(persons.deleteAll().then(persons.save(ann)).then(persons.count()))
                .expectNext(1L)
                .verifyComplete();
        persons.deleteAll().block();
    }

    @Test
    void guardsABaseClassThatKeepsTheTemplate() {
        HiddenPersons persons = context().getBean(HiddenPersons.class);
        persons.save(person("hidden"));
        refused(() -> persons.save(person("hidden")));
        persons.deleteAll();
    }

    @Test
    void guardsAFragment() {
        FragmentedPersons persons = context().getBean(FragmentedPersons.class);
        Person ann = persons.save(new Person(UUID.randomUUID(), "fragment", "note"));
        refused(() -> persons.save(person("fragment")));
        persons.removeNote(ann.id());
        assertThat(persons.findById(ann.id())).contains(new Person(ann.id(), "fragment", null));
        persons.deleteAll();
    }

    private static Person person(String login) {
        return new Person(UUID.randomUUID(), login, null);
    }

    private static void refused(Runnable write) {
        assertThatExceptionOfType(DuplicateValueException.class).isThrownBy(write::run);
    }
}
