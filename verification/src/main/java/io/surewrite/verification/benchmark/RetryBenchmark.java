package io.surewrite.verification.benchmark;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.Idempotent.WhenExhausted;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/**
 * {@code save} of one row by Spring Data alone, with {@code @Idempotent}, and ready to be kept in a backlog. An application
 * without Surewrite and one with it share one session: two would differ by where the machine puts their threads and
 * connections, which is more than what is compared here.
 */
final class RetryBenchmark implements Benchmarks.Benchmark {

    private static final Set<String> TAGS = Set.of("new", "blue");

    private int number;

    @Table("product")
    record Product(@Id int id, String name, BigDecimal price, Set<String> tags, Instant added) {}

    interface PlainProducts extends CassandraRepository<Product, Integer> {}

    @Idempotent
    interface SureProducts extends CassandraRepository<Product, Integer> {}

    interface KeptProducts extends CassandraRepository<Product, Integer> {

        @Override
        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        <S extends Product> S save(S product);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = PlainProducts.class))
    static class Plain {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters =
                    @Filter(
                            type = FilterType.ASSIGNABLE_TYPE,
                            classes = {SureProducts.class, KeptProducts.class}))
    static class Sure {}

    @Override
    public void measure(EmbeddedCassandra server, Duration howLong, Results results) throws Exception {
        Path backlog = Files.createTempDirectory(
                Files.createDirectories(Path.of("target").toAbsolutePath()), "backlog");
        try (ConfigurableApplicationContext sure = MeasuredApplication.start(
                        Sure.class,
                        server,
                        "retry",
                        MeasuredApplication.WITH_TABLES,
                        "surewrite.backlog.enabled=true",
                        "surewrite.backlog.directory=" + backlog);
                ConfigurableApplicationContext plain = plain(server, sure.getBean(CqlSession.class))) {
            // The level that sure writes have: what is compared waits for the same replicas.
            plain.getBean(CqlTemplate.class).setConsistencyLevel(ConsistencyLevel.LOCAL_QUORUM);
            PlainProducts products = plain.getBean(PlainProducts.class);
            SureProducts retried = sure.getBean(SureProducts.class);
            KeptProducts kept = sure.getBean(KeptProducts.class);
            Contest contest = new Contest()
                    .with("plain save", () -> products.save(next()))
                    .with("@Idempotent save", () -> retried.save(next()))
                    .with("save that a backlog would keep", () -> kept.save(next()))
                    .run(howLong);
            compare(contest, results, "@Idempotent save", "plain save");
            compare(contest, results, "save that a backlog would keep", "@Idempotent save");
        }
    }

    private static ConfigurableApplicationContext plain(EmbeddedCassandra server, CqlSession session) {
        String ours = StreamSupport.stream(
                        ImportCandidates.load(AutoConfiguration.class, null).spliterator(), false)
                .filter(name -> name.startsWith("io.surewrite."))
                .collect(Collectors.joining(","));
        return MeasuredApplication.builder(Plain.class, server, "retry", "spring.autoconfigure.exclude=" + ours)
                .initializers(context -> ((GenericApplicationContext) context)
                        .registerBean(
                                "cassandraSession",
                                CqlSession.class,
                                () -> session,
                                definition -> definition.setDestroyMethodName("")))
                .run();
    }

    private static void compare(Contest contest, Results results, String ours, String theirs) {
        contest.compare(results, ours, theirs, 1.03);
        results.atMost(1.05, ours + ", CPU of the caller", "µs", contest.cpu(ours), theirs, contest.cpu(theirs));
        results.atMostMore(200, ours + ", allocation", "B", contest.bytes(ours), theirs, contest.bytes(theirs));
    }

    private Product next() {
        int id = number++ & 0xFFFF;
        return new Product(id, "product " + id, BigDecimal.valueOf(id, 2), TAGS, Instant.EPOCH);
    }
}
