package io.surewrite.embedded.boot;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import io.surewrite.embedded.SharedCassandra;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.cassandra.autoconfigure.CassandraConnectionDetails;
import org.springframework.boot.cassandra.autoconfigure.CqlSessionBuilderCustomizer;
import org.springframework.boot.cassandra.autoconfigure.DriverConfigLoaderBuilderCustomizer;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/**
 * Starts the JVM's shared embedded Cassandra for an application that names no other: no
 * {@code spring.cassandra.contact-points}, no {@link CassandraConnectionDetails} and no session of its own.
 */
@AutoConfiguration(before = CassandraAutoConfiguration.class)
@ConditionalOnClass({CqlSession.class, CassandraAutoConfiguration.class})
@ConditionalOnBooleanProperty(name = "surewrite.embedded.enabled", matchIfMissing = true)
@Conditional(OnNoOtherCassandra.class)
@ConditionalOnMissingBean({CassandraConnectionDetails.class, CqlSession.class})
@EnableConfigurationProperties(EmbeddedCassandraProperties.class)
public final class EmbeddedCassandraAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedCassandraAutoConfiguration.class);

    EmbeddedCassandraAutoConfiguration() {}

    @Bean
    static DevelopmentKeyspace embeddedCassandraKeyspace(ConfigurableEnvironment environment) {
        return new DevelopmentKeyspace(environment);
    }

    @Bean
    EmbeddedCassandraConnectionDetails embeddedCassandraConnectionDetails(
            EmbeddedCassandraProperties properties, Environment environment) {
        SharedCassandra server = SharedCassandra.get(properties.toBuilder());
        String keyspace = CqlIdentifier.fromCql(environment.getRequiredProperty(DevelopmentKeyspace.PROPERTY))
                .asInternal();
        server.createKeyspace(keyspace);
        InetSocketAddress address = server.contactPoint();
        LOG.info(
                "Embedded Cassandra {} runs at {}:{} with keyspace {}, for development only; set spring.cassandra.contact-points to use another one",
                server.version(),
                address.getAddress().getHostAddress(),
                address.getPort(),
                keyspace);
        return new EmbeddedCassandraConnectionDetails(server, keyspace);
    }

    /**
     * The driver reads the schema again after each statement that changes it, and gives that up after two seconds. A busy
     * machine takes longer, and the session would not know the new table.
     */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    DriverConfigLoaderBuilderCustomizer embeddedCassandraPatience() {
        return builder ->
                builder.withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, Duration.ofSeconds(30));
    }

    /** First, so that the application's own customizers have the last word. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    CqlSessionBuilderCustomizer embeddedCassandraKeyspaceCustomizer(EmbeddedCassandraConnectionDetails details) {
        return builder -> builder.withKeyspace(CqlIdentifier.fromInternal(details.getKeyspace()));
    }
}
