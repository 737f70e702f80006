package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.SharedCassandra;
import io.surewrite.retry.Idempotent;
import io.surewrite.schema.SurewriteSchema;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.UniqueBy;
import io.surewrite.write.SureSessionBuilder;
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
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.CassandraManagedTypes;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.config.AbstractCassandraConfiguration;
import org.springframework.data.cassandra.config.SchemaAction;
import org.springframework.data.cassandra.config.SessionBuilderConfigurer;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.cql.session.init.ResourceKeyspacePopulator;
import org.springframework.data.cassandra.core.cql.session.init.SessionFactoryInitializer;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;
import org.springframework.data.cassandra.repository.config.EnableReactiveCassandraRepositories;

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

    private static ApplicationContextRunner bySchemaAction(ApplicationContextRunner application) {
        return application
                .withPropertyValues("spring.cassandra.schema-action=create-if-not-exists")
                .withBean(CassandraManagedTypes.class, () -> CassandraManagedTypes.from(Person.class));
    }

    @Test
    @LongLane
    void waitsForTheSchemaActionInAReactiveApplication() {
        bySchemaAction(reactive()).run(context -> {
            assertThat(context).hasNotFailed();
            ReactivePeople people = context.getBean(ReactiveService.class).people();
            Person ann = people.save(new Person(UUID.randomUUID(), "ann")).block();
            assertThat(people.findById(ann.id()).block()).isEqualTo(ann);
        });
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

    /** And its template is the application's own. */
    @Test
    @LongLane
    void isUsedByAnInitializerItself() {
        bySchemaAction(application())
                .withUserConfiguration(Seed.class, OwnTemplate.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(People.class).count()).isEqualTo(1);
                });
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

    /** As in docs/embedded.md; the tables of Surewrite are made because the server is the embedded one. */
    @Test
    @LongLane
    void worksWithAnAbstractCassandraConfiguration() {
        application()
                .withBean(Service.class)
                .withUserConfiguration(ShopCassandra.class)
                .withPropertyValues("surewrite.schema.initialize=embedded")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    People people = context.getBean(Service.class).people();
                    assertThat(people.save(new Person(UUID.randomUUID(), "bob")).login())
                            .isEqualTo("bob");
                    assertThat(context.getBean(SurewriteSchema.class).exists("claim"))
                            .isTrue();
                    assertThat(SureSessionBuilder.built(context.getBean(CqlSession.class)))
                            .isTrue();
                });
    }

    @Table("early_person")
    record Person(@Id UUID id, String login) {}

    @Idempotent
    interface ReactivePeople extends ReactiveCassandraRepository<Person, UUID> {}

    @Idempotent
    @UniqueBy("login")
    interface People extends CassandraRepository<Person, UUID> {}

    record ReactiveService(ReactivePeople people) {}

    record Service(People people) {}

    @Configuration(proxyBeanMethods = false)
    @EnableReactiveCassandraRepositories(
            considerNestedRepositories = true,
            excludeFilters =
                    @Filter(type = FilterType.REGEX, pattern = "(?!.*TablesMadeAtTheStartIntegrationTests\\$).*"))
    static class Reactive {}

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            excludeFilters =
                    @Filter(type = FilterType.REGEX, pattern = "(?!.*TablesMadeAtTheStartIntegrationTests\\$).*"))
    static class OwnTemplate {

        @Bean
        CassandraTemplate cassandraTemplate(CqlSession session, CassandraConverter converter) {
            return new CassandraTemplate(session, converter);
        }
    }

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

    @Configuration(proxyBeanMethods = false)
    static class Seed {

        @Bean
        SessionFactoryInitializer seed(SessionFactory sessions, People people) {
            SessionFactoryInitializer seed = new SessionFactoryInitializer();
            seed.setSessionFactory(sessions);
            seed.setKeyspacePopulator(session -> people.save(new Person(UUID.randomUUID(), "admin")));
            return seed;
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

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            excludeFilters =
                    @Filter(type = FilterType.REGEX, pattern = "(?!.*TablesMadeAtTheStartIntegrationTests\\$).*"))
    static class ShopCassandra extends AbstractCassandraConfiguration {

        private final SharedCassandra server = SharedCassandra.get();

        @Override
        protected String getContactPoints() {
            return server.contactPoint().getAddress().getHostAddress();
        }

        @Override
        protected int getPort() {
            return server.contactPoint().getPort();
        }

        @Override
        protected String getLocalDataCenter() {
            return server.localDatacenter();
        }

        @Override
        protected String getKeyspaceName() {
            return keyspace.name();
        }

        @Override
        public SchemaAction getSchemaAction() {
            return SchemaAction.CREATE_IF_NOT_EXISTS;
        }

        @Override
        protected Set<Class<?>> getInitialEntitySet() {
            return Set.of(Person.class);
        }

        @Override
        protected SessionBuilderConfigurer getSessionBuilderConfigurer() {
            return SureSessionBuilder::from;
        }
    }
}
