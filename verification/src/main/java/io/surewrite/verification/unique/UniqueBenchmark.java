package io.surewrite.verification.unique;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.unique.UniqueBy;
import io.surewrite.verification.Throughput;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/**
 * Repositories with {@code @UniqueBy} beside the same written by hand with the driver, and beside a lock around read and
 * write, in one run on one server. Only the ratios mean something. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pbenchmark-unique package}; {@code -Dverification.argument=3} takes three
 * nodes.
 */
public final class UniqueBenchmark {

    private static final int ROUNDS = 4_000;
    private static final Duration SLICE = Duration.ofSeconds(4);
    private static final int SLICES = 4;
    private static final int FEW = 1_000;
    private static final int MANY = 1_000_000;

    /** A row with one unique value. */
    @Table("one_member")
    record One(@PrimaryKey UUID id, String login, String email, String city) {}

    @UniqueBy("login")
    interface Ones extends CassandraRepository<One, UUID> {}

    /** A row with two unique values. */
    @Table("two_member")
    record Two(@PrimaryKey UUID id, String login, String email, String city) {}

    @UniqueBy("login")
    @UniqueBy("email")
    interface Twos extends CassandraRepository<Two, UUID> {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters =
                    @Filter(
                            type = FilterType.ASSIGNABLE_TYPE,
                            classes = {Ones.class, Twos.class}))
    static class Application {}

    private final Ones ones;
    private final Twos twos;
    private final HandWritten byHand;

    private UniqueBenchmark(ConfigurableApplicationContext application) {
        this.ones = application.getBean(Ones.class);
        this.twos = application.getBean(Twos.class);
        this.byHand = new HandWritten(application.getBean(CqlSession.class));
    }

    /**
     * Runs the benchmark.
     *
     * @param args the number of nodes
     * @throws Exception when the server cannot be started
     */
    public static void main(String[] args) throws Exception {
        int nodes = Integer.parseInt(args[0]);
        try (EmbeddedCassandra server = EmbeddedCassandra.builder()
                .nodes(nodes)
                .setting("paxos_variant", "v2")
                .jvmArgument("-XX:TieredStopAtLevel=4")
                .start()) {
            server.createKeyspace("uniq");
            createTables(server);
            try (ConfigurableApplicationContext application = application(server, Application.class)) {
                UniqueBenchmark benchmark = new UniqueBenchmark(application);
                benchmark.insert();
                benchmark.save();
                benchmark.manyThreads();
                grow(application);
            }
        }
    }

    private static void createTables(EmbeddedCassandra server) {
        try (ConfigurableApplicationContext application = application(server, Bare.class)) {
            for (String table : List.of("one_member", "two_member")) {
                application
                        .getBean(CqlSession.class)
                        .execute("CREATE TABLE " + table + " (id uuid PRIMARY KEY, login text, email text, city text)");
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Bare {}

    private void insert() {
        Contest contest = new Contest()
                .with("one constraint", () -> withLogin((id, login) -> ones.insert(one(id, login, "Wien"))))
                .with("transaction and write by hand", () -> withLogin(byHand::insert))
                .with("lock, read, write, unlock by hand", () -> withLogin(byHand::insertUnderALock))
                .with("two constraints", () -> withLogin((id, login) -> twos.insert(two(id, login))))
                .run(ROUNDS);
        print(
                "insert ÷ one LWT and one write by hand, p50",
                1.10,
                contest.ratio("one constraint", "transaction and write by hand"));
        print(
                "insert ÷ the gist's third attempt, p50",
                0.65,
                contest.ratio("one constraint", "lock, read, write, unlock by hand"));
        print("insert with two constraints ÷ with one, p50", 1.5, contest.ratio("two constraints", "one constraint"));
    }

    private void save() {
        Member ours = new Member();
        Member theirs = new Member();
        ones.insert(one(ours.id, ours.login, "Wien"));
        byHand.insert(theirs.id, theirs.login);
        Contest contest = new Contest()
                .with("save, nothing unique changed", () -> ones.save(one(ours.id, ours.login, ours.next())))
                .with(
                        "two reads and a write by hand",
                        () -> byHand.saveUnchanged(theirs.id, theirs.login, theirs.next()))
                .run(ROUNDS);
        print(
                "unchanged save ÷ two reads and a write by hand, p50",
                1.10,
                contest.ratio("save, nothing unique changed", "two reads and a write by hand"));
        contest = new Contest()
                .with("save, the value changed", () -> {
                    ours.login = ours.next();
                    ones.save(one(ours.id, ours.login, "Wien"));
                })
                .with("read, two transactions, write by hand", () -> {
                    String before = theirs.login;
                    theirs.login = theirs.next();
                    byHand.change(theirs.id, before, theirs.login);
                })
                .run(ROUNDS);
        print(
                "change ÷ read, 2 LWT and a write by hand, p50",
                1.10,
                contest.ratio("save, the value changed", "read, two transactions, write by hand"));
    }

    /** A row that is saved again and again. */
    private static final class Member {

        private final UUID id = UUID.randomUUID();
        private String login = "login-" + id;
        private int saves;

        private String next() {
            return id + "-" + saves++;
        }
    }

    private void manyThreads() throws Exception {
        double ours = 0;
        double theirs = 0;
        for (int i = -1; i < SLICES; i++) {
            double first = perSecond(() -> withLogin((id, login) -> ones.insert(one(id, login, "Wien"))));
            double second = perSecond(() -> withLogin(byHand::insertUnderALock));
            if (i >= 0) {
                ours += first / SLICES;
                theirs += second / SLICES;
            }
        }
        System.out.printf(
                Locale.ROOT,
                "inserts/s of 16 threads: %.0f, the gist's third attempt %.0f, ratio %.2f (goal: at least 1.30, %s)%n",
                ours,
                theirs,
                ours / theirs,
                ours / theirs >= 1.3 ? "met" : "missed");
    }

    private static double perSecond(Throughput.Work work) throws Exception {
        return Throughput.perSecond(SLICE, List.of(work)).get(0);
    }

    private static void grow(ConfigurableApplicationContext application) throws InterruptedException {
        CqlSession session = application.getBean(CqlSession.class);
        ConditionalWrites writes = application.getBean(ConditionalWrites.class);
        Grown few = new Grown(session, writes, "few").with(FEW);
        Grown many = new Grown(session, writes, "many").with(MANY);
        Contest contest = new Contest()
                .with("insert beside 1,000 claims", few::insert)
                .with("insert beside 1,000,000 claims", many::insert)
                .run(ROUNDS);
        print(
                "insert beside 1,000,000 claims ÷ beside 1,000, p50",
                1.10,
                contest.ratio("insert beside 1,000,000 claims", "insert beside 1,000 claims"));
    }

    private static void withLogin(BiConsumer<UUID, String> insert) {
        UUID id = UUID.randomUUID();
        insert.accept(id, "login-" + id);
    }

    private static One one(UUID id, String login, String city) {
        return new One(id, login, login + "@example.org", city);
    }

    private static Two two(UUID id, String login) {
        return new Two(id, login, login + "@example.org", "Wien");
    }

    private static void print(String what, double goal, double ratio) {
        System.out.printf(
                Locale.ROOT,
                "%s: %.2f (goal: at most %.2f, %s)%n",
                what,
                ratio,
                goal,
                ratio <= goal ? "met" : "missed");
    }

    private static ConfigurableApplicationContext application(EmbeddedCassandra server, Class<?> type) {
        return new SpringApplicationBuilder(type)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .properties(
                        "spring.cassandra.contact-points=127.0.0.1:"
                                + server.contactPoint().getPort(),
                        "spring.cassandra.local-datacenter=" + server.localDatacenter(),
                        "spring.cassandra.keyspace-name=uniq",
                        "spring.cassandra.request.timeout=30s", // of DDL; conditional writes have their own
                        "surewrite.schema.initialize=always")
                .run();
    }
}
