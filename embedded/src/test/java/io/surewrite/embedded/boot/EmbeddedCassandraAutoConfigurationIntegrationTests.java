package io.surewrite.embedded.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.cassandra.autoconfigure.CassandraProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

@ExtendWith(OutputCaptureExtension.class)
class EmbeddedCassandraAutoConfigurationIntegrationTests {

    private final ApplicationContextRunner context = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(CassandraAutoConfiguration.class, EmbeddedCassandraAutoConfiguration.class));

    @Test
    void connectsTheSessionToAKeyspaceNamedAfterTheApplication(CapturedOutput output) {
        context.withPropertyValues("spring.application.name=Alle-Deals 2").run(it -> {
            assertThat(keyspace(it)).isEqualTo("alle_deals_2");
            EmbeddedCassandraConnectionDetails details = it.getBean(EmbeddedCassandraConnectionDetails.class);
            assertThat(details.getKeyspace()).isEqualTo("alle_deals_2");
            assertThat(output)
                    .contains("Embedded Cassandra 5.0.9 runs at 127.0.0.1:"
                            + details.getContactPoints().get(0).port() + " with keyspace alle_deals_2");
        });
    }

    @Test
    void usesTheKeyspaceThatIsConfigured() {
        context.withPropertyValues(
                        "spring.cassandra.keyspace-name=my_shop",
                        "spring.application.name=other",
                        "surewrite.embedded.unique-keyspace=true")
                .run(it -> assertThat(keyspace(it)).isEqualTo("my_shop"));
    }

    /** Such as a service that makes its own statements with the keyspace's name in them. */
    @Test
    void letsTheApplicationReadTheKeyspaceAsIfItWereConfigured() {
        context.withPropertyValues("surewrite.embedded.unique-keyspace=true", "spring.cassandra.keyspace-name=")
                .withBean(ReadsTheKeyspace.class)
                .run(it -> {
                    String name =
                            it.getBean(EmbeddedCassandraConnectionDetails.class).getKeyspace();
                    assertThat(name).startsWith("surewrite_dev_").isEqualTo(keyspace(it));
                    assertThat(it.getBean(ReadsTheKeyspace.class).keyspace).isEqualTo(name);
                    assertThat(it.getBean(CassandraProperties.class).getKeyspaceName())
                            .isEqualTo(name);
                });
    }

    @Test
    void takesADriverFileThatNamesNoCassandra(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("driver.conf"), "datastax-java-driver.basic.session-name = mine");
        context.withPropertyValues("spring.cassandra.config=" + file.toUri())
                .run(it -> assertThat(it.getBean(CqlSession.class).getName()).isEqualTo("mine"));
    }

    private static String keyspace(ApplicationContext context) {
        return context.getBean(CqlSession.class)
                .getKeyspace()
                .map(CqlIdentifier::asInternal)
                .orElse("none");
    }

    static class ReadsTheKeyspace {

        @Value("${spring.cassandra.keyspace-name}")
        private String keyspace;
    }
}
