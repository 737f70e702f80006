package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surewrite.lease.LeaseLocks;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.LongLane;
import java.io.IOException;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What somebody reads whose application does not start. */
@ExtendWith(OutputCaptureExtension.class)
class FailureReportIntegrationTests extends CassandraTest {

    @Test
    void printsTheMissingTableAndItsDdl(CapturedOutput output) {
        start("--surewrite.schema.initialize=never", UsesLeases.AS_SOURCE);
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .containsSubsequence(
                        "Description:",
                        "The table %s.surewrite_lease is missing.".formatted(keyspace.name()),
                        "Action:",
                        "Run this CQL before the application starts",
                        "CREATE TABLE IF NOT EXISTS %s.surewrite_lease (".formatted(keyspace.name()));
    }

    @Test
    @LongLane
    void printsTheMissingKeyspaceAndHowToCreateIt(CapturedOutput output) {
        start("--spring.cassandra.keyspace-name=nowhere");
        assertThat(output)
                .containsSubsequence(
                        "Description:",
                        "The keyspace nowhere, which the Cassandra session starts in, does not exist.",
                        "Action:",
                        "Neither Spring Boot nor Surewrite creates it. Correct spring.cassandra.keyspace-name, or create",
                        "CREATE KEYSPACE nowhere WITH replication = {'class': 'NetworkTopologyStrategy',");
    }

    @Test
    void printsThatNoCassandraAnswersAndWhereToGetOne(CapturedOutput output) throws IOException {
        int unused;
        try (ServerSocket socket = new ServerSocket(0)) {
            unused = socket.getLocalPort();
        }
        start("--spring.cassandra.contact-points=127.0.0.1:" + unused);
        assertThat(output)
                .containsSubsequence(
                        "Description:",
                        "No Cassandra answers at /127.0.0.1:" + unused,
                        "Action:",
                        "spring.cassandra.contact-points",
                        "io.surewrite:surewrite-embedded-cassandra");
    }

    private static void start(String... arguments) {
        SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(connection());
        assertThatThrownBy(() -> application.run(arguments)).isInstanceOf(RuntimeException.class);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    static class UsesLeases {

        static final String AS_SOURCE = "--spring.main.sources=" + UsesLeases.class.getName();

        @Bean
        String usesLeases(LeaseLocks locks) {
            return locks.toString();
        }
    }
}
