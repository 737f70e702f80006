package io.surewrite.test;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.surewrite.embedded.EmbeddedCassandra;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraReactiveAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.repository.support.CassandraRepositoryFactoryBean;

/** Applications on a server that a test has started for itself, as {@link CassandraTest#application()} on the shared one. */
public final class OwnServer {

    private OwnServer() {}

    /** An application with every auto-configuration of ours, but that of the embedded server. */
    public static ApplicationContextRunner application(EmbeddedCassandra server, String keyspace) {
        return new ApplicationContextRunner()
                .withConfiguration(CassandraTest.autoConfigurations(name -> !name.contains("embedded")))
                .withConfiguration(AutoConfigurations.of(DataCassandraReactiveAutoConfiguration.class))
                .withPropertyValues(
                        "spring.cassandra.contact-points=127.0.0.1:"
                                + server.contactPoint().getPort(),
                        "spring.cassandra.local-datacenter=" + server.localDatacenter(),
                        "spring.cassandra.keyspace-name=" + keyspace,
                        "spring.cassandra.request.timeout=30s", // DDL on a busy build machine
                        "surewrite.schema.initialize=always");
    }

    /** A session of the first role of a server that asks for passwords, which makes it in the background. */
    public static CqlSession administrator(EmbeddedCassandra server) {
        return Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(500))
                .ignoreExceptions()
                .until(
                        () -> patient(server.contactPoint(), server.localDatacenter())
                                .withAuthCredentials("cassandra", "cassandra")
                                .build(),
                        connected -> true);
    }

    /** The plain driver, with time for DDL on a busy machine. */
    public static CqlSessionBuilder patient(InetSocketAddress server, String datacenter) {
        return CqlSession.builder()
                .addContactPoint(server)
                .withLocalDatacenter(datacenter)
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30))
                        .build());
    }

    /** Adds a repository. */
    @SuppressWarnings({"rawtypes", "unchecked"}) // any repository
    public static ApplicationContextRunner with(Class<?> repository, ApplicationContextRunner application) {
        return application.withBean(
                repository.getSimpleName(),
                CassandraRepositoryFactoryBean.class,
                () -> new CassandraRepositoryFactoryBean(repository),
                definition -> definition
                        .getPropertyValues()
                        .add("cassandraTemplate", new RuntimeBeanReference(CassandraTemplate.class)));
    }
}
