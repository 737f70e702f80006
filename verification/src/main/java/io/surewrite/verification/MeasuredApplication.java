package io.surewrite.verification;

import io.surewrite.actuate.SurewriteMeters;
import io.surewrite.actuate.SurewriteObservations;
import io.surewrite.embedded.EmbeddedCassandra;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application that is measured beside the same work by hand. It has what the starter brings. The sample shop on the class path
 * has the actuator, too, whose meters and observations the work by hand has not: they are left out, unless they are what is
 * measured.
 */
public final class MeasuredApplication {

    /** Boot's configurations of meters and observations, with commas. */
    public static final String METERS = String.join(
            ",",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration");

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
        return unmetered(builder(configuration, server, keyspace)
                .properties("spring.autoconfigure.exclude=" + METERS)
                .properties(more)
                .run());
    }

    /**
     * Makes sure of what {@link #METERS} leaves out: a class that Boot has renamed would be there again, and nobody would see it.
     *
     * @param application an application
     * @return the same one
     */
    public static ConfigurableApplicationContext unmetered(ConfigurableApplicationContext application) {
        if (application.getBeanNamesForType(SurewriteMeters.class).length > 0
                || application.getBeanNamesForType(SurewriteObservations.class).length > 0) {
            application.close();
            throw new IllegalStateException("The application has meters");
        }
        return application;
    }

    /**
     * Starts one as an application with the actuator is.
     *
     * @param configuration its class
     * @param server the server that it uses
     * @param keyspace its keyspace, which is made if need be
     * @return the application, which the caller closes
     */
    public static ConfigurableApplicationContext startWithMeters(
            Class<?> configuration, EmbeddedCassandra server, String keyspace) {
        return builder(configuration, server, keyspace).run();
    }

    private static SpringApplicationBuilder builder(Class<?> configuration, EmbeddedCassandra server, String keyspace) {
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
                        "surewrite.schema.initialize=always");
    }
}
