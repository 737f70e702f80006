package io.surewrite.verification.overhead;

import io.surewrite.embedded.EmbeddedCassandra;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The application twice, each with a session of its own: without Surewrite and with it. Only the session's defaults are
 * Surewrite's on both sides: the driver's own protocol would be another comparison.
 */
final class Shops implements AutoCloseable {

    private static final String KEYSPACE = "overhead";

    private final ConfigurableApplicationContext plain;
    private final ConfigurableApplicationContext sure;
    private final PlainProducts plainProducts;
    private final SureProducts sureProducts;
    private final KeptProducts keptProducts;

    Shops(EmbeddedCassandra cassandra) {
        cassandra.createKeyspace(KEYSPACE);
        // The level that sure writes have: what is compared waits for the same replicas.
        plain = start(cassandra, ours(), "spring.cassandra.request.consistency=local-quorum");
        sure = start(cassandra, "");
        plainProducts = plain.getBean(PlainProducts.class);
        sureProducts = sure.getBean(SureProducts.class);
        keptProducts = sure.getBean(KeptProducts.class);
    }

    PlainProducts plain() {
        return plainProducts;
    }

    SureProducts idempotent() {
        return sureProducts;
    }

    KeptProducts kept() {
        return keptProducts;
    }

    @Override
    public void close() {
        plain.close();
        sure.close();
    }

    private static ConfigurableApplicationContext start(EmbeddedCassandra cassandra, String without, String... more) {
        return new SpringApplicationBuilder(Shop.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.cassandra.contact-points=127.0.0.1:"
                                + cassandra.contactPoint().getPort(),
                        "spring.cassandra.local-datacenter=" + cassandra.localDatacenter(),
                        "spring.cassandra.keyspace-name=" + KEYSPACE,
                        "spring.cassandra.schema-action=create_if_not_exists",
                        "surewrite.schema.initialize=always",
                        "spring.cassandra.request.timeout=30s",
                        "surewrite.backlog.enabled=true",
                        "surewrite.backlog.directory=" + directory(),
                        "spring.autoconfigure.exclude=" + without,
                        "spring.main.banner-mode=off",
                        "logging.level.root=warn")
                .properties(more)
                .run();
    }

    private static Path directory() {
        try {
            return Files.createTempDirectory(Path.of("target").toAbsolutePath(), "backlog");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String ours() {
        return StreamSupport.stream(
                        ImportCandidates.load(AutoConfiguration.class, null).spliterator(), false)
                .filter(name -> name.startsWith("io.surewrite.") && !name.contains("Session"))
                .collect(Collectors.joining(","));
    }
}
