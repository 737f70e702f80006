package io.surewrite.verification.overhead;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
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
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.data.cassandra.core.cql.CqlTemplate;

/**
 * The application twice, without Surewrite and with it, on one session: two would differ by where the machine puts their
 * threads and connections, which is more than what is compared here.
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
        sure = start(cassandra, "", context -> {});
        CqlSession session = sure.getBean(CqlSession.class);
        plain = start(
                cassandra,
                ours(),
                context -> context.registerBean(
                        "cassandraSession",
                        CqlSession.class,
                        () -> session,
                        definition -> definition.setDestroyMethodName("")));
        // The level that sure writes have: what is compared waits for the same replicas.
        plain.getBean(CqlTemplate.class).setConsistencyLevel(ConsistencyLevel.LOCAL_QUORUM);
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

    private static ConfigurableApplicationContext start(
            EmbeddedCassandra cassandra,
            String without,
            ApplicationContextInitializer<GenericApplicationContext> more) {
        return new SpringApplicationBuilder(Shop.class)
                .initializers(more)
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
                .filter(name -> name.startsWith("io.surewrite."))
                .collect(Collectors.joining(","));
    }
}
