package io.surewrite.verification.benchmark;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.sun.management.OperatingSystemMXBean;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.Idempotent.WhenExhausted;
import io.surewrite.verification.benchmark.Contest.Taken;
import io.surewrite.verification.benchmark.UniqueBenchmark.Member;
import io.surewrite.verification.benchmark.UniqueBenchmark.Ones;
import io.surewrite.write.WriteId;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
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
import org.springframework.data.annotation.Version;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.data.cassandra.core.mapping.Column;
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
    private static final double COLD = 1.3;

    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /** What a call may take beside another. */
    private record Goal(String ours, String theirs, double quiet, double besideLoad) {

        String ratio(double goal, Function<String, double @Nullable []> of) {
            return Results.ratio(
                    goal, Objects.requireNonNull(of.apply(ours)), Objects.requireNonNull(of.apply(theirs)));
        }
    }

    private static final List<Goal> GOALS = List.of(
            new Goal("insert", "claim and row by hand", 1.08, 1.15),
            new Goal("insert", "claim by hand, row by Spring Data", 1.08, 1.15),
            new Goal("save, nothing unique changed", "claim raised and row by hand", 1.05, 1.15),
            new Goal("save, nothing unique changed", "claim raised by hand, row by Spring Data", 1.05, 1.15),
            new Goal("lease", "lock by hand", 1.06, 1.15),
            new Goal("lease", "a lease's two statements by hand", 1.06, 1.15),
            new Goal("lease, a new name", "lock by hand, a new name", 1.06, 1.15),
            new Goal("lease, a new name", "a lease's two statements by hand, a new name", 1.06, 1.15),
            new Goal("@Idempotent save", "plain save", 1.03, 1.05),
            new Goal("save that a backlog would keep", "@Idempotent save", 1.03, 1.05),
            new Goal("@Idempotent save with a version", "plain save with a version", 1.08, 1.15));

    private static final List<String> PROFILED = List.of(
            "insert",
            "save, nothing unique changed",
            "lease",
            "plain save",
            "@Idempotent save",
            "@Idempotent save with a version");

    private final AtomicInteger count = new AtomicInteger();

    @Table("product")
    record Product(@Id int id, String name, BigDecimal price, Set<String> tags, Instant added) {}

    interface PlainProducts extends CassandraRepository<Product, Integer> {}

    /** The row that is written by hand, too. */
    @Table("plain_member")
    record PlainMember(@Id UUID id, String login, String email, String city) {}

    interface PlainMembers extends CassandraRepository<PlainMember, UUID> {}

    @Idempotent
    interface SureProducts extends CassandraRepository<Product, Integer> {}

    interface KeptProducts extends CassandraRepository<Product, Integer> {

        @Override
        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        <S extends Product> S save(S product);
    }

    /** With the same columns: its caller makes the id that ours is given. */
    @Table("plain_stock")
    record PlainStock(
            @Id UUID id,
            int items,
            @Column("write_id") @Nullable UUID writeId,
            @Version @Nullable Long version) {

        PlainStock less() {
            return new PlainStock(id, items - 1, UUID.randomUUID(), version);
        }
    }

    interface PlainStocks extends CassandraRepository<PlainStock, UUID> {}

    @Table("sure_stock")
    record SureStock(
            @Id UUID id,
            int items,
            @WriteId @Column("write_id") @Nullable UUID writeId,
            @Version @Nullable Long version) {

        SureStock less() {
            return new SureStock(id, items - 1, writeId, version);
        }
    }

    @Idempotent
    interface SureStocks extends CassandraRepository<SureStock, UUID> {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters =
                    @Filter(
                            type = FilterType.ASSIGNABLE_TYPE,
                            classes = {PlainProducts.class, PlainMembers.class, PlainStocks.class}))
    static class Plain {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters =
                    @Filter(
                            type = FilterType.ASSIGNABLE_TYPE,
                            classes = {SureProducts.class, KeptProducts.class, SureStocks.class, Ones.class}))
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
            Contest contest = contest(plain, sure).runCold().run(howLong, true);
            contest.printTo(results);
            compare(contest, Many.run(contest, howLong.dividedBy(60)), results);
            Profile.head(results);
            for (String name : PROFILED) {
                results.print(Profile.row(name, contest.way(name), howLong.dividedBy(10)));
            }
        }
    }

    private Contest contest(ConfigurableApplicationContext plain, ConfigurableApplicationContext sure) {
        PlainProducts products = plain.getBean(PlainProducts.class);
        PlainMembers members = plain.getBean(PlainMembers.class);
        SureProducts retried = sure.getBean(SureProducts.class);
        KeptProducts kept = sure.getBean(KeptProducts.class);
        PlainStocks plainStocks = plain.getBean(PlainStocks.class);
        SureStocks sureStocks = sure.getBean(SureStocks.class);
        Ones ones = sure.getBean(Ones.class);
        LeaseLocks locks = sure.getBean(LeaseLocks.class);
        CqlSession session = sure.getBean(CqlSession.class);
        HandWrittenLock lock = new HandWrittenLock(session);
        HandWrittenClaims claims = new HandWrittenClaims(session);
        BiConsumer<UUID, String> insert = (id, login) -> ones.insert(UniqueBenchmark.one(id, login, "Wien"));
        ThreadLocal<Member> own = UniqueBenchmark.member(insert);
        ThreadLocal<Member> halfRaised = UniqueBenchmark.member(claims::insertAsOurs);
        ThreadLocal<Member> raised = UniqueBenchmark.member(claims::insertAsOurs);
        ThreadLocal<PlainStock> plainStock =
                ThreadLocal.withInitial(() -> plainStocks.insert(new PlainStock(UUID.randomUUID(), 0, null, null)));
        ThreadLocal<SureStock> sureStock =
                ThreadLocal.withInitial(() -> sureStocks.insert(new SureStock(UUID.randomUUID(), 0, null, null)));
        return new Contest(sure.getBean(RequestTimes.class))
                .with("claim and row by hand", () -> UniqueBenchmark.withLogin(claims::insert))
                .with("our own two statements by hand", () -> UniqueBenchmark.withLogin(claims::insertAsOurs))
                .with(
                        "the same, the second from the driver's thread",
                        () -> UniqueBenchmark.withLogin(claims::insertAsOursFromDriver))
                .with(
                        "claim by hand, row by Spring Data",
                        () -> UniqueBenchmark.withLogin((id, login) -> {
                            claims.claimAsOurs(id, login);
                            members.insert(new PlainMember(id, login, login + "@example.org", "Wien"));
                        }))
                .with("insert", () -> UniqueBenchmark.withLogin(insert))
                .with("claim raised and row by hand", () -> raised.get().save(claims::saveAsOurs))
                .with(
                        "claim raised by hand, row by Spring Data",
                        () -> halfRaised.get().save((id, login, next) -> {
                            claims.raiseAsOurs(id, login);
                            members.save(new PlainMember(id, login, login + "@example.org", next));
                        }))
                .with(
                        "save, nothing unique changed",
                        () -> own.get().save((id, login, next) -> ones.save(UniqueBenchmark.one(id, login, next))))
                .with("lock by hand", () -> lock.lockAndUnlock(name()))
                .with("lease", () -> locks.tryAcquire(name()).orElseThrow().release())
                .with("a lease's two statements by hand", () -> lock.lockAndUnlockAsOurs(name()))
                .with("a lease's two statements by hand, a new name", () -> lock.lockAndUnlockAsOurs(newName()))
                .with("lock by hand, a new name", () -> lock.lockAndUnlock(newName()))
                .with(
                        "lease, a new name",
                        () -> locks.tryAcquire(newName()).orElseThrow().release())
                .with("plain save", () -> products.save(next()))
                .with("@Idempotent save", () -> retried.save(next()))
                .with("save that a backlog would keep", () -> kept.save(next()))
                .with(
                        "plain save with a version",
                        () -> plainStock.set(plainStocks.save(plainStock.get().less())))
                .with(
                        "@Idempotent save with a version",
                        () -> sureStock.set(sureStocks.save(sureStock.get().less())));
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

    /** A row for each goal: ratios, with the lowest and the highest of the blocks, and whether they meet what they may be. */
    private static void compare(Contest contest, Many many, Results results) {
        results.print("");
        results.print(
                "| ours | beside | quiet | beside a busy thread | cold | CPU | calls of 16 threads | their CPU |");
        results.print("|---|---|---|---|---|---|---|---|");
        for (Goal goal : GOALS) {
            results.print(Stream.of(
                            goal.ours,
                            goal.theirs,
                            goal.ratio(goal.quiet, name -> contest.of(name, Taken::total)),
                            goal.ratio(goal.besideLoad, name -> contest.besideLoad(name, Taken::total)),
                            goal.ratio(COLD, name -> contest.cold(name, Taken::total)),
                            goal.ratio(CPU, name -> contest.of(name, Taken::cpu)),
                            goal.ratio(Double.NaN, many.calls::get),
                            goal.ratio(CPU, many.micros::get))
                    .collect(Collectors.joining(" | ", "| ", " |")));
        }
    }

    /** How much 16 threads get done, in turns of one way each, and what of the processors the client's process takes for a call. */
    private record Many(Map<String, double[]> calls, Map<String, double[]> micros) {

        private static final int TURNS = 5;

        static Many run(Contest contest, Duration turn) throws Exception {
            Many many = new Many(new LinkedHashMap<>(), new LinkedHashMap<>());
            for (int i = 0; i < TURNS; i++) {
                for (String name : contest.names()) {
                    long before = PROCESS.getProcessCpuTime();
                    double rate = Throughput.perSecond(turn, List.of(contest.way(name)))
                            .get(0);
                    double micros = (PROCESS.getProcessCpuTime() - before) / 1e3;
                    many.calls.computeIfAbsent(name, first -> new double[TURNS])[i] = rate;
                    many.micros.computeIfAbsent(name, first -> new double[TURNS])[i] =
                            micros / (rate * turn.toMillis() / 1e3);
                }
            }
            return many;
        }
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
