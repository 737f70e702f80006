package io.surewrite.verification.faults;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import io.surewrite.embedded.CassandraNode;
import io.surewrite.embedded.EmbeddedCassandra;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.cassandra.autoconfigure.DriverConfigLoaderBuilderCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/** How an application reaches the cluster of a run. */
record Connection(String contactPoints, String datacenter) {

    /** What clients, and whoever judges them, run. Each uses some of the repositories. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(considerNestedRepositories = true)
    @Import(AmbiguousOutcomes.class)
    static class Application {

        @Bean
        DriverConfigLoaderBuilderCustomizer apart() {
            return builder -> builder.withClass(DefaultDriverOption.TIMESTAMP_GENERATOR_CLASS, ApartTimestamps.class);
        }
    }

    static Connection to(EmbeddedCassandra cluster, String datacenter) {
        String contactPoints = cluster.nodesOf(datacenter).stream()
                .map(CassandraNode::address)
                .map(address -> address.getAddress().getHostAddress() + ":" + address.getPort())
                .collect(Collectors.joining(","));
        return new Connection(contactPoints, datacenter);
    }

    List<String> arguments() {
        return List.of(contactPoints, datacenter);
    }

    /** Starts an application that reads and writes at QUORUM. No two of a run have the same number in their names. */
    ConfigurableApplicationContext start(String name, String... more) {
        List<String> properties = new ArrayList<>(List.of(
                "spring.cassandra.contact-points=" + contactPoints,
                "spring.cassandra.local-datacenter=" + datacenter,
                "spring.cassandra.keyspace-name=" + Run.KEYSPACE,
                "spring.cassandra.session-name=" + name,
                "spring.cassandra.request.timeout=5s",
                "spring.cassandra.request.consistency=quorum",
                "spring.data.cassandra.repositories.type=none", // those of the package are enabled
                "logging.level.root=error"));
        properties.addAll(List.of(more));
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .properties(properties.toArray(String[]::new))
                .run();
    }
}
