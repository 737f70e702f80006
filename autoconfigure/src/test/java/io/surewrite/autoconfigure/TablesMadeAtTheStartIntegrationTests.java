package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnRepositories;
import io.surewrite.testsupport.LongLane;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraReactiveAutoConfiguration;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDatabaseInitializerDetector;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.CassandraManagedTypes;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.cql.session.init.ResourceKeyspacePopulator;
import org.springframework.data.cassandra.core.cql.session.init.SessionFactoryInitializer;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;

/**
 * Applications whose tables are made while they start, in each way there is. A service that uses a repository is the first
 * bean, and nothing that it is made of needs what makes the table.
 */
class TablesMadeAtTheStartIntegrationTests extends CassandraTest {

    private static final String TABLE = "CREATE TABLE early_person (id uuid PRIMARY KEY, login text);";

    @BeforeEach
    void dropTable() {
        session.execute("DROP TABLE IF EXISTS early_person");
    }

    private static ApplicationContextRunner reactive() {
        return application()
                .withConfiguration(AutoConfigurations.of(DataCassandraReactiveAutoConfiguration.class))
                .withBean(ReactiveService.class)
                .withUserConfiguration(Reactive.class);
    }

    @Test
    @LongLane
    void waitsForTheSchemaAction() {
        reactive()
                .withPropertyValues("spring.cassandra.schema-action=create-if-not-exists")
                .withBean(CassandraManagedTypes.class, () -> CassandraManagedTypes.from(Person.class))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    @LongLane
    void waitsForInitializersOfSessionFactories() {
        reactive()
                .withUserConfiguration(Initializer.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** By the detectors that Spring Boot has for Flyway, Liquibase and others. */
    @Test
    void waitsForInitializersThatSpringBootDetects() {
        reactive().withBean(Migrations.class).run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void stillRefusesATableThatNothingMakes() {
        reactive()
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("the table early_person of Person does not exist")
                        .hasMessageContaining("spring.cassandra.schema-action"));
    }

    @Table("early_person")
    record Person(@Id UUID id, String login) {}

    @Idempotent
    interface ReactivePeople extends ReactiveCassandraRepository<Person, UUID> {}

    record ReactiveService(ReactivePeople people) {}

    @OwnRepositories
    static class Reactive {}

    @Configuration(proxyBeanMethods = false)
    static class Initializer {

        @Bean
        SessionFactoryInitializer tables(SessionFactory sessions) {
            SessionFactoryInitializer tables = new SessionFactoryInitializer();
            tables.setSessionFactory(sessions);
            tables.setKeyspacePopulator(
                    new ResourceKeyspacePopulator(new ByteArrayResource(TABLE.getBytes(StandardCharsets.UTF_8))));
            return tables;
        }
    }

    /** Such as a library for migrations has. */
    record Migrations(CqlSession cql) {

        Migrations {
            cql.execute(TABLE);
        }
    }

    /** Named in this module's spring.factories. */
    static class MigrationsDetector extends AbstractBeansOfTypeDatabaseInitializerDetector {

        @Override
        protected Set<Class<?>> getDatabaseInitializerBeanTypes() {
            return Set.of(Migrations.class);
        }
    }
}
