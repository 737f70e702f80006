package io.surewrite.verification.benchmark;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.Idempotent.WhenExhausted;
import io.surewrite.verification.benchmark.Contest.Taken;
import io.surewrite.verification.benchmark.UniqueBenchmark.Member;
import io.surewrite.verification.benchmark.UniqueBenchmark.Ones;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.cassandra.autoconfigure.CqlSessionBuilderCustomizer;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
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
 * Each kind of call beside the same by hand. An application without Surewrite and one with it share one session: two would
 * differ by where the machine puts their threads and connections, which is more than what is compared here.
 */
final class CallsBenchmark implements Benchmarks.Benchmark {

    private static final Set<String> TAGS = Set.of("new", "blue");
    private static final int NAMES = 100;
    private static final double CPU = 1.15;

    private final AtomicInteger count = new AtomicInteger();

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
                            classes = {SureProducts.class, KeptProducts.class, Ones.class}))
    static class Sure {

        @Bean
        RequestTimes requests() {
            return new RequestTimes();
        }

        @Bean
        CqlSessionBuilderCustomizer tracked(RequestTimes requests) {
            return session -> session.addRequestTracker(requests);
        }
    }

    @Override
    public void measure(EmbeddedCassandra server, Duration howLong, Results results) throws Exception {
        Path backlog = Files.createTempDirectory(
                Files.createDirectories(Path.of("target").toAbsolutePath()), "backlog");
        try (ConfigurableApplicationContext sure = MeasuredApplication.start(
                        Sure.class,
                        server,
                        "calls",
                        MeasuredApplication.WITH_TABLES,
                        "surewrite.backlog.enabled=true",
                        "surewrite.backlog.directory=" + backlog);
                ConfigurableApplicationContext plain = plain(server, sure.getBean(CqlSession.class))) {
            // The level that sure writes have: what is compared waits for the same replicas.
            plain.getBean(CqlTemplate.class).setConsistencyLevel(ConsistencyLevel.LOCAL_QUORUM);
            Contest contest = contest(plain, sure).run(howLong, true);
            compare(contest, results, "insert", "claim and row by hand", 1.08, 1.15);
            compare(contest, results, "save, nothing unique changed", "claim raised and row by hand", 1.05, 1.15);
            compare(contest, results, "lease", "lock by hand", 1.06, 1.15);
            compare(contest, results, "lease, a new name", "lock by hand, a new name", 1.06, 1.15);
            compare(contest, results, "@Idempotent save", "plain save", 1.03, 1.05);
            compare(contest, results, "save that a backlog would keep", "@Idempotent save", 1.03, 1.05);
            contest.printTo(results);
        }
    }

    private Contest contest(ConfigurableApplicationContext plain, ConfigurableApplicationContext sure) {
        PlainProducts products = plain.getBean(PlainProducts.class);
        SureProducts retried = sure.getBean(SureProducts.class);
        KeptProducts kept = sure.getBean(KeptProducts.class);
        Ones ones = sure.getBean(Ones.class);
        LeaseLocks locks = sure.getBean(LeaseLocks.class);
        CqlSession session = sure.getBean(CqlSession.class);
        HandWrittenLock lock = new HandWrittenLock(session);
        HandWrittenClaims claims = new HandWrittenClaims(session);
        BiConsumer<UUID, String> insert = (id, login) -> ones.insert(UniqueBenchmark.one(id, login, "Wien"));
        ThreadLocal<Member> own = UniqueBenchmark.member(insert);
        ThreadLocal<Member> raised = UniqueBenchmark.member(claims::insertAsOurs);
        return new Contest(sure.getBean(RequestTimes.class))
                .with("claim and row by hand", () -> UniqueBenchmark.withLogin(claims::insert))
                .with("our own two statements by hand", () -> UniqueBenchmark.withLogin(claims::insertAsOurs))
                .with("insert", () -> UniqueBenchmark.withLogin(insert))
                .with("claim raised and row by hand", () -> raised.get().save(claims::saveAsOurs))
                .with(
                        "save, nothing unique changed",
                        () -> own.get().save((id, login, next) -> ones.save(UniqueBenchmark.one(id, login, next))))
                .with("lock by hand", () -> lock.lockAndUnlock(name()))
                .with("lease", () -> locks.tryAcquire(name()).orElseThrow().release())
                .with("lock by hand, a new name", () -> lock.lockAndUnlock(newName()))
                .with(
                        "lease, a new name",
                        () -> locks.tryAcquire(newName()).orElseThrow().release())
                .with("plain save", () -> products.save(next()))
                .with("@Idempotent save", () -> retried.save(next()))
                .with("save that a backlog would keep", () -> kept.save(next()));
    }

    private static ConfigurableApplicationContext plain(EmbeddedCassandra server, CqlSession session) {
        String ours = StreamSupport.stream(
                        ImportCandidates.load(AutoConfiguration.class, null).spliterator(), false)
                .filter(name -> name.startsWith("io.surewrite."))
                .collect(Collectors.joining(","));
        return MeasuredApplication.builder(Plain.class, server, "calls", "spring.autoconfigure.exclude=" + ours)
                .initializers(context -> ((GenericApplicationContext) context)
                        .registerBean(
                                "cassandraSession",
                                CqlSession.class,
                                () -> session,
                                definition -> definition.setDestroyMethodName("")))
                .run();
    }

    private static void compare(
            Contest contest, Results results, String ours, String theirs, double goal, double besideLoad) {
        contest.compare(results, ours, theirs, goal);
        results.atMost(
                besideLoad,
                ours + ", beside a busy thread",
                "ms",
                contest.besideLoad(ours, Taken::total),
                theirs,
                contest.besideLoad(theirs, Taken::total));
        results.atMost(CPU, ours + ", CPU", "µs", contest.of(ours, Taken::cpu), theirs, contest.of(theirs, Taken::cpu));
    }

    private Product next() {
        int id = count.incrementAndGet() & 0xFFFF;
        return new Product(id, "product " + id, BigDecimal.valueOf(id, 2), TAGS, Instant.EPOCH);
    }

    /** A thread has names to itself. */
    private String name() {
        return Thread.currentThread().getId() + ":" + count.incrementAndGet() % NAMES;
    }

    private static String newName() {
        return "first:" + UUID.randomUUID();
    }
}
