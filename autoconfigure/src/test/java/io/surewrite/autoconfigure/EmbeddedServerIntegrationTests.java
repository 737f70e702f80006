package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.embedded.boot.EmbeddedCassandraAutoConfiguration;
import io.surewrite.embedded.boot.EmbeddedCassandraConnectionDetails;
import io.surewrite.schema.SurewriteSchema;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class EmbeddedServerIntegrationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    EmbeddedCassandraAutoConfiguration.class,
                    CassandraAutoConfiguration.class,
                    SurewriteSchemaAutoConfiguration.class))
            .withPropertyValues("spring.cassandra.keyspace-name=embedded_server_tests");

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
