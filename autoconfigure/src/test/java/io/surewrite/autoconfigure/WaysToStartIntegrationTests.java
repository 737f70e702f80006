package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnRepositories;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueBy;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/** The ways in which an application may start, each with what all of them can do. */
class WaysToStartIntegrationTests extends CassandraTest {

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE started_person (id uuid PRIMARY KEY, login text, city text)");
        session.execute("CREATE TABLE started_visits (id uuid PRIMARY KEY, n counter)");
    }

    static Stream<Way> ways() {
        return Stream.of(
                new Way("lazily", lazily()),
                new Way("on virtual threads", application().withPropertyValues("spring.threads.virtual.enabled=true")),
                without("actuator", "org.springframework.boot.actuate", "org.springframework.boot.health"),
                without("Micrometer", "io.micrometer"),
                without(
                        "Reactor, Resilience4j, SQLite, ShedLock and Spring Integration",
                        "reactor",
                        "io.github.resilience4j",
                        "org.sqlite",
                        "net.javacrumbs",
                        "org.springframework.integration"));
    }

    private static Way without(String library, String... packages) {
        return new Way("without " + library, application().withClassLoader(new FilteredClassLoader(packages)));
    }

    /** How an application starts, or what it lacks. */
    record Way(String name, ApplicationContextRunner application) {

        @Override
        public String toString() {
            return name;
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    @LongLane
    void guardedWritesLeasesAndOverwritesWork(Way way) {
        way.application().withUserConfiguration(OnlyPeople.class).run(context -> {
            assertThat(context).hasNotFailed();
            People people = context.getBean(People.class);
            String login = way.name();
            Person first = people.insert(new Person(UUID.randomUUID(), login, "Bern"));
            assertThatThrownBy(() -> people.insert(new Person(UUID.randomUUID(), login, null)))
                    .isInstanceOf(DuplicateValueException.class);
            try (Lease lease =
                    context.getBean(LeaseLocks.class).tryAcquire(login).orElseThrow()) {
                assertThat(lease.isHeld()).isTrue();
            }
            people.overwrite(new Person(first.id(), login, null));
            assertThat(people.findById(first.id())).contains(new Person(first.id(), login, null));
        });
    }

    /** Spring Data makes repositories at the start all the same. */
    @Test
    void whatIsRefusedEndsTheStartWhereBeansAreMadeLate() {
        lazily().withUserConfiguration(Application.class)
                .run(context -> assertThat(context).getFailure().hasMessageContaining("Counters.visit"));
    }

    private static ApplicationContextRunner lazily() {
        return application()
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()));
    }

    @Table("started_person")
    record Person(
            @PrimaryKey UUID id, String login, @Nullable String city) {}

    @Idempotent
    @UniqueBy("login")
    public interface People extends CassandraRepository<Person, UUID>, OverwriteRepository<Person> {}

    interface Counters extends CassandraRepository<Person, UUID> {

        @Idempotent
        @Query("UPDATE started_visits SET n = n + 1 WHERE id = ?0")
        void visit(UUID id);
    }

    @OwnRepositories
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = People.class))
    static class OnlyPeople {}
}
