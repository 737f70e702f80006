package io.surewrite.verification.containers;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.SharedCassandra;
import io.surewrite.embedded.boot.EmbeddedCassandraAutoConfiguration;
import io.surewrite.embedded.boot.EmbeddedCassandraConnectionDetails;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.cassandra.autoconfigure.CassandraConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.testcontainers.cassandra.CassandraContainer;

/** {@code @ServiceConnection} names the Cassandra to use, and the embedded one stays out. It needs no Docker: what it names runs already. */
class ServiceConnectionIntegrationTests {

    @Test
    void theEmbeddedServerStaysOutOfTheWay() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CassandraAutoConfiguration.class,
                        EmbeddedCassandraAutoConfiguration.class,
                        ServiceConnectionAutoConfiguration.class))
                .withUserConfiguration(Application.class)
                .run(context -> {
                    assertThat(context)
                            .hasSingleBean(CassandraConnectionDetails.class)
                            .doesNotHaveBean(EmbeddedCassandraConnectionDetails.class);
                    assertThat(context.getBean(CqlSession.class)
                                    .execute("SELECT key FROM system.local")
                                    .one())
                            .isNotNull();
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {

        @Bean
        @ServiceConnection
        CassandraContainer cassandra() {
            return new RunningContainer(SharedCassandra.get());
        }
    }

    private static final class RunningContainer extends CassandraContainer {

        private final SharedCassandra server;

        RunningContainer(SharedCassandra server) {
            super("cassandra:5.0");
            this.server = server;
        }

        @Override
        public void start() {
            // It runs.
        }

        @Override
        public void stop() {
            // Others use it.
        }

        @Override
        public InetSocketAddress getContactPoint() {
            return server.contactPoint();
        }

        @Override
        public String getLocalDatacenter() {
            return server.localDatacenter();
        }
    }
}
