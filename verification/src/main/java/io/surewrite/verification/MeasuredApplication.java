package io.surewrite.verification;

import io.surewrite.embedded.EmbeddedCassandra;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** An application that is measured beside the same work by hand. It has what the starter brings. */
public final class MeasuredApplication {

    private MeasuredApplication() {}

    /**
     * Starts one.
     *
     * @param configuration its class
     * @param server the server that it uses
     * @param keyspace its keyspace, which is made if need be
     * @param more properties, each as {@code name=value}
     * @return the application, which the caller closes
     */
    public static ConfigurableApplicationContext start(
            Class<?> configuration, EmbeddedCassandra server, String keyspace, String... more) {
        server.createKeyspace(keyspace);
        return new SpringApplicationBuilder(configuration)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .properties(
                        "spring.cassandra.contact-points=127.0.0.1:"
                                + server.contactPoint().getPort(),
                        "spring.cassandra.local-datacenter=" + server.localDatacenter(),
                        "spring.cassandra.keyspace-name=" + keyspace,
                        "spring.cassandra.request.timeout=30s", // of DDL; conditional writes have their own
                        "surewrite.schema.initialize=always")
                .properties(more)
                .run();
    }
}
