package io.surewrite.verification.benchmark;

import io.surewrite.embedded.EmbeddedCassandra;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** An application that is measured beside the same work by hand. It has what the starter brings. */
final class MeasuredApplication {

    /** A property, for one that makes the tables of its entities. */
    static final String WITH_TABLES = "spring.cassandra.schema-action=create_if_not_exists";

    /** One without repositories. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Bare {}

    private MeasuredApplication() {}

    /** {@return a started application of a class, with a keyspace, which is made if need be, and more properties} */
    static ConfigurableApplicationContext start(
            Class<?> configuration, EmbeddedCassandra server, String keyspace, String... more) {
        return builder(configuration, server, keyspace, more).run();
    }

    /** {@return the same, not started yet} */
    static SpringApplicationBuilder builder(
            Class<?> configuration, EmbeddedCassandra server, String keyspace, String... more) {
        server.createKeyspace(keyspace);
        List<String> properties = new ArrayList<>(List.of(
                "spring.cassandra.contact-points=127.0.0.1:"
                        + server.contactPoint().getPort(),
                "spring.cassandra.local-datacenter=" + server.localDatacenter(),
                "spring.cassandra.keyspace-name=" + keyspace,
                "spring.cassandra.request.timeout=30s", // of DDL; conditional writes have their own
                "surewrite.schema.initialize=always",
                "logging.level.root=error"));
        properties.addAll(List.of(more));
        return new SpringApplicationBuilder(configuration)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .properties(properties.toArray(String[]::new));
    }
}
