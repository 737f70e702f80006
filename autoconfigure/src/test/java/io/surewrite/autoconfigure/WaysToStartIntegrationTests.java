package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueBy;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/** Applications whose beans are made late, and two applications in one JVM. */
class WaysToStartIntegrationTests extends CassandraTest {

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE started_person (id uuid PRIMARY KEY, login text)");
        session.execute("CREATE TABLE started_visits (id uuid PRIMARY KEY, n counter)");
    }

    @Test
    void beansThatAreMadeLateWork() {
        lazily().withUserConfiguration(OnlyPeople.class).run(context -> {
            People people = context.getBean(People.class);
            people.insert(new Person(UUID.randomUUID(), "late"));
            assertThatThrownBy(() -> people.insert(new Person(UUID.randomUUID(), "late")))
                    .isInstanceOf(DuplicateValueException.class);
            try (Lease lease =
                    context.getBean(LeaseLocks.class).tryAcquire("late").orElseThrow()) {
                assertThat(lease.isHeld()).isTrue();
            }
        });
    }

    /** Spring Data makes repositories at the start all the same. */
    @Test
    void whatIsRefusedEndsTheStartWhereBeansAreMadeLate() {
        lazily().withUserConfiguration(Application.class)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("Counters.visit"));
    }

    private static ApplicationContextRunner lazily() {
        return application()
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()));
    }

    @Test
    void oneOfTwoApplicationsGoesOnWhenTheOtherEnds() {
        ApplicationContextRunner runner = application().withUserConfiguration(OnlyPeople.class);
        runner.run(one -> {
            runner.run(other -> {
                assertThat(other).hasNotFailed();
                try (Lease lease =
                        other.getBean(LeaseLocks.class).tryAcquire("two").orElseThrow()) {
                    assertThat(lease.isHeld()).isTrue();
                    assertThat(one.getBean(LeaseLocks.class).tryAcquire("two")).isEmpty();
                }
                other.getBean(People.class).insert(new Person(UUID.randomUUID(), "two"));
            });
            People people = one.getBean(People.class);
            assertThatThrownBy(() -> people.insert(new Person(UUID.randomUUID(), "two")))
                    .isInstanceOf(DuplicateValueException.class);
            people.insert(new Person(UUID.randomUUID(), "one"));
            try (Lease lease = one.getBean(LeaseLocks.class).tryAcquire("two").orElseThrow()) {
                assertThat(lease.isHeld()).isTrue();
            }
        });
    }

    @Table("started_person")
    record Person(@PrimaryKey UUID id, String login) {}

    @Idempotent
    @UniqueBy("login")
    interface People extends CassandraRepository<Person, UUID> {}

    interface Counters extends CassandraRepository<Person, UUID> {

        @Idempotent
        @Query("UPDATE started_visits SET n = n + 1 WHERE id = ?0")
        void visit(UUID id);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters =
                    @Filter(
                            type = FilterType.ASSIGNABLE_TYPE,
                            classes = {People.class, Counters.class}))
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = People.class))
    static class OnlyPeople {}
}
