package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.embedded.boot.EmbeddedCassandraAutoConfiguration;
import io.surewrite.embedded.boot.EmbeddedCassandraConnectionDetails;
import io.surewrite.schema.SurewriteSchema;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueBy;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.cassandra.CassandraManagedTypes;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.SASI;
import org.springframework.data.cassandra.core.mapping.SASI.IndexMode;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

class EmbeddedServerIntegrationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    EmbeddedCassandraAutoConfiguration.class,
                    CassandraAutoConfiguration.class,
                    SurewriteSchemaAutoConfiguration.class))
            .withPropertyValues("spring.cassandra.keyspace-name=embedded_server_tests");

    @Test
    void createsTablesOnTheEmbeddedServer() {
        runner.run(context -> assertThat(context.getBean(SurewriteSchema.class).table("lease"))
                .isEqualTo("embedded_server_tests.surewrite_lease"));
    }

    @Table
    record Album(
            @PrimaryKey UUID id,
            @SASI(indexMode = IndexMode.CONTAINS) String title) {}

    @UniqueBy("title")
    interface Albums extends CassandraRepository<Album, UUID> {

        List<Album> findByTitleContaining(String part);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Albums.class))
    @EnableAutoConfiguration
    static class Shelf {

        @Bean
        CassandraManagedTypes entities() {
            return CassandraManagedTypes.from(Album.class);
        }
    }

    /** As Spring Data makes its table and its index. */
    @Test
    @LongLane // It starts a server of its own.
    void hasSasiIndexesWhereTheyAreSwitchedOn() {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Shelf.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "surewrite.embedded.settings.sasi-indexes-enabled=true",
                        "spring.cassandra.schema-action=create-if-not-exists")
                .run()) {
            Albums albums = context.getBean(Albums.class);
            Album help = albums.save(new Album(UUID.randomUUID(), "Help!"));
            assertThat(albums.findByTitleContaining("elp")).containsExactly(help);
            assertThatExceptionOfType(DuplicateValueException.class)
                    .isThrownBy(() -> albums.save(new Album(UUID.randomUUID(), "Help!")));
        }
    }

    /** The embedded server runs, but the driver's configuration leads the session to another one. */
    @Test
    void createsNothingWhereTheSessionIsConnectedElsewhere() {
        try (EmbeddedCassandra elsewhere = EmbeddedCassandra.builder().start()) {
            elsewhere.createKeyspace("embedded_server_tests");
            String config = """
                    datastax-java-driver.basic {
                      contact-points = ["127.0.0.1:%d"]
                      load-balancing-policy.local-datacenter = %s
                    }""".formatted(elsewhere.contactPoint().getPort(), elsewhere.localDatacenter());
            runner.withBean(DriverConfigLoader.class, () -> DriverConfigLoader.fromString(config))
                    .withBean(SawDetails.class)
                    .run(context -> assertThatThrownBy(
                                    () -> context.getBean(SurewriteSchema.class).table("lease"))
                            .hasMessageContaining("embedded_server_tests.surewrite_lease is missing")
                            .hasMessageContaining("this is not the embedded server"));
        }
    }

    /** Fails if the embedded server is not offered at all, which would make the test above mean nothing. */
    record SawDetails(EmbeddedCassandraConnectionDetails details) {}
}
