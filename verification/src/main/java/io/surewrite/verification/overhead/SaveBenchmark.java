package io.surewrite.verification.overhead;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * {@code save} of one row by Spring Data alone and with {@code @Idempotent}, on one node. Only the session's defaults are
 * Surewrite's on both sides: the driver's own protocol would be another comparison.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@SuppressWarnings("NullAway.Init") // JMH fills the fields before it measures.
public class SaveBenchmark {

    static final String CONTACT_POINT = "surewrite.benchmark.contact-point";
    static final String KEYSPACE = "overhead";

    private static final Set<String> TAGS = Set.of("new", "blue");

    private ConfigurableApplicationContext application;
    private PlainProducts plainProducts;
    private SureProducts sureProducts;
    private KeptProducts keptProducts;
    private int id;

    /**
     * Starts the application.
     *
     * @param benchmark which of the two is measured
     */
    @Setup(Level.Trial)
    public void start(BenchmarkParams benchmark) {
        application = new SpringApplicationBuilder(Shop.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.cassandra.contact-points=" + System.getProperty(CONTACT_POINT),
                        "spring.cassandra.local-datacenter=datacenter1",
                        "spring.cassandra.keyspace-name=" + KEYSPACE,
                        "spring.cassandra.schema-action=create_if_not_exists",
                        "surewrite.schema.initialize=always",
                        "spring.cassandra.request.timeout=30s",
                        "surewrite.backlog.enabled=true",
                        "surewrite.backlog.directory=" + directory(),
                        "spring.autoconfigure.exclude="
                                + (benchmark.getBenchmark().endsWith("plain") ? ours() : ""),
                        "spring.main.banner-mode=off",
                        "logging.level.root=warn")
                .run();
        plainProducts = application.getBean(PlainProducts.class);
        sureProducts = application.getBean(SureProducts.class);
        keptProducts = application.getBean(KeptProducts.class);
    }

    /** Stops the application. */
    @TearDown(Level.Trial)
    public void stop() {
        application.close();
    }

    /**
     * Plain Spring Data.
     *
     * @return what was saved
     */
    @Benchmark
    public Product plain() {
        return plainProducts.save(next());
    }

    /**
     * With the pinned timestamp and the retry around it.
     *
     * @return what was saved
     */
    @Benchmark
    public Product idempotent() {
        return sureProducts.save(next());
    }

    /**
     * The same, ready to keep the write if the cluster were away.
     *
     * @return what was saved
     */
    @Benchmark
    public Product kept() {
        return keptProducts.save(next());
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

    private Product next() {
        int number = id++ & 0xFFFF;
        return new Product(number, "product " + number, BigDecimal.valueOf(number, 2), TAGS, Instant.EPOCH);
    }
}
