package io.surewrite.verification.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.embedded.boot.EmbeddedCassandraConnectionDetails;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.cassandra.CassandraContainer;

/** With Testcontainers' Cassandra in the place of ours: the way of those who have a Docker engine. */
@EnabledIf(value = "dockerRuns", disabledReason = "No Docker engine runs here, which Testcontainers' Cassandra needs")
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {
            "spring.config.name=containers", // not that of the sample shop, which is on the class path, too
            "spring.cassandra.keyspace-name=shop",
            "spring.cassandra.request.timeout=30s",
            "surewrite.schema.initialize=always"
        })
class ContainerIntegrationTests {

    @Autowired
    private LeaseLocks locks;

    static boolean dockerRuns() {
        return DockerClientFactory.instance().isDockerAvailable();
    }

    @Test
    void locksOnTheServerInTheContainer(@Autowired ApplicationContext context) {
        assertThat(context.getBeansOfType(EmbeddedCassandraConnectionDetails.class))
                .isEmpty();
        try (Lease lease = locks.tryAcquire("container").orElseThrow()) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(locks.tryAcquire("container")).isEmpty();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        @ServiceConnection
        CassandraContainer cassandra() {
            return new CassandraContainer("cassandra:5.0").withInitScript("containers/keyspace.cql");
        }
    }
}
