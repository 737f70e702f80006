package io.surewrite.verification.unique;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.unique.UniqueBy;
import io.surewrite.verification.Arguments;
import io.surewrite.verification.Load;
import io.surewrite.verification.MeasuredApplication;
import io.surewrite.verification.PaxosServer;
import io.surewrite.verification.ServerJmx;
import io.surewrite.verification.Throughput;
import io.surewrite.verification.Times;
import io.surewrite.verification.figures.Figure;
import io.surewrite.verification.figures.Figures;
import io.surewrite.verification.figures.Goal;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/**
 * Repositories with {@code @UniqueBy} beside the same written by hand with the driver, and beside a lock around read and
 * write, in one run on one server; in the end once more with Paxos v1, and, if asked, on three nodes. Only the ratios mean
 * something. Run it with
 * {@code mvn -pl verification -am -DskipTests -Pbenchmark-unique package}; {@code -Dverification.argument=3} takes three
 * nodes, {@code 1,60,0} measures one node for 60 seconds, without the part about a table that has grown to 1,000,000
 * claims, {@code 1,60,0,16,0} does so with 16 threads only, not with 4, 16 and 64, and without Paxos v1, and
 * {@code 1,60,0,16,0,30} measures three nodes for 30 seconds after it.
 */
public final class UniqueBenchmark {

    private static final int SLICES = 6;
    private static final int RATED_SLICES = 4;
    private static final int FEW = 1_000;

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

    /** A row with one unique value and a set, each write of which claims the row as well. */
    @Table("set_member")
    record WithASet(@PrimaryKey UUID id, String login, String email, String city, Set<String> roles) {}

    @UniqueBy("login")
    interface WithSets extends CassandraRepository<WithASet, UUID> {}

    private static final String KEYSPACE = "uniq";

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters =
                    @Filter(
                            type = FilterType.ASSIGNABLE_TYPE,
                            classes = {Ones.class, Twos.class, WithSets.class}))
    static class Application {}

    private final Ones ones;
    private final Twos twos;
    private final WithSets withSets;
    private final HandWritten byHand;
    private final ByTemplate byTemplate;
    private final SameStatements same;
    private final Figures figures;

    private UniqueBenchmark(ConfigurableApplicationContext application, Figures figures) {
        this.ones = application.getBean(Ones.class);
        this.twos = application.getBean(Twos.class);
        this.withSets = application.getBean(WithSets.class);
        this.byHand = new HandWritten(application.getBean(CqlSession.class));
        this.same = new SameStatements(application.getBean(CqlSession.class));
        this.byTemplate = new ByTemplate(application.getBean(CassandraOperations.class));
        this.figures = figures;
    }

    /**
     * Runs the benchmark.
     *
     * @param args the number of nodes, for how many seconds to compare, how many claims the table that has grown has,
     *     numbers of threads with a plus between them, and for how many seconds to compare with Paxos v1 and then on three
     *     nodes, as one text with commas; what is left out has a default
     * @throws Exception when the server cannot be started
     */
    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(args, "1", "150", "1000000", "4+16+64", "40", "0");
        Figures figures = Figures.of("unique", arguments.toString());
        Duration howLong = arguments.seconds(1);
        int many = arguments.number(2);
        try (EmbeddedCassandra server = PaxosServer.start(arguments.number(0));
                ConfigurableApplicationContext application = application(server)) {
            figures.on(server, "Paxos v2");
            UniqueBenchmark benchmark = new UniqueBenchmark(application, figures);
            benchmark.oneByOne("", howLong); // and warms up for the next
            double least = Double.MAX_VALUE;
            for (String threads : arguments.text(3).split("\\+", -1)) {
                least = Math.min(least, benchmark.manyThreads(Integer.parseInt(threads), howLong.dividedBy(45)));
            }
            // So that nobody is behind.
            benchmark.atRate(Math.rint(least / 2), howLong.dividedBy(15));
            if (many > 0) {
                benchmark.grow(application, many, howLong.dividedBy(4));
            }
            Duration older = arguments.seconds(4);
            if (!older.isZero()) {
                ServerJmx.usePaxos(server, "v1");
                benchmark.oneByOne(", Paxos v1", older);
            }
        }
        Duration onThree = arguments.seconds(5);
        if (!onThree.isZero()) {
            // Three are so slow on one machine that they alone would never have this process compiled.
            try (EmbeddedCassandra servers = PaxosServer.start(3);
                    ConfigurableApplicationContext application = application(servers)) {
                figures.note("The last", "on three nodes, Paxos v2");
                new UniqueBenchmark(application, figures).oneByOne(", three nodes", onThree);
            }
        }
    }

    private static void createTables(EmbeddedCassandra server) {
        try (ConfigurableApplicationContext application = MeasuredApplication.start(Bare.class, server, KEYSPACE)) {
            for (String table : List.of("one_member", "two_member", "set_member")) {
                String more = table.equals("set_member") ? ", roles set<text>" : "";
                application
                        .getBean(CqlSession.class)
                        .execute("CREATE TABLE %s (id uuid PRIMARY KEY, login text, email text, city text%s)"
                                .formatted(table, more));
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Bare {}

    /**
     * @param how what the figures' names end with
     */
    private void oneByOne(String how, Duration howLong) throws Exception {
        ThreadLocal<Member> ours = member((id, login) -> ones.insert(one(id, login, "Wien")));
        ThreadLocal<Member> theirs = member(byHand::insert);
        ThreadLocal<Member> oursChanging = member((id, login) -> ones.insert(one(id, login, "Wien")));
        ThreadLocal<Member> theirsChanging = member(byHand::insert);
        Contest contest = new Contest()
                .with("insert, one constraint", this::insert)
                .with("insert, two constraints", () -> withLogin((id, login) -> twos.insert(two(id, login))))
                .with(
                        "insert, one constraint and a set",
                        () -> withLogin((id, login) -> withSets.insert(withASet(id, login))))
                .with("transaction, write by hand", () -> withLogin(byHand::insert))
                .with("the same statements by hand", () -> withLogin(same::insert))
                .with("transaction, write by template", () -> withLogin(byTemplate::insert))
                .with("lock, read, write, unlock by hand", () -> withLogin(byHand::insertUnderALock))
                .with(
                        "save, nothing unique changed",
                        () -> ours.get().save((id, login, next) -> ones.save(one(id, login, next))))
                .with("two reads, write by hand", () -> theirs.get().save(byHand::saveUnchanged))
                .with(
                        "save, the value changed",
                        () -> oursChanging.get().change((id, before, next) -> ones.save(one(id, next, "Wien"))))
                .with(
                        "read, transaction, write, transaction by hand",
                        () -> theirsChanging.get().change(byHand::change))
                .run(howLong);
        String insert = "insert, one constraint";
        compare(contest, how, insert, "transaction, write by hand", 1.10);
        figures.add(contest.compare(how, insert, "the same statements by hand"));
        figures.add(contest.compare(how, insert, "transaction, write by template"));
        compare(contest, how, insert, "lock, read, write, unlock by hand", 0.65);
        compare(contest, how, "insert, two constraints", insert, 1.5);
        // Two claims each, of which one is the row's.
        compare(contest, how, "insert, one constraint and a set", "insert, two constraints", 1.10);
        compare(contest, how, "save, nothing unique changed", "two reads, write by hand", 1.10);
        compare(contest, how, "save, the value changed", "read, transaction, write, transaction by hand", 1.10);
    }

    /** A row that one thread saves again and again. */
    private static final class Member {

        private final UUID id = UUID.randomUUID();
        private String login = "login-" + id;
        private int saves;

        /** One way to save it. */
        private interface Save {

            void save(UUID id, String login, String next);
        }

        private void save(Save save) {
            save.save(id, login, next());
        }

        private void change(Save save) {
            String before = login;
            login = next();
            save.save(id, before, login);
        }

        private String next() {
            return id + "-" + saves++;
        }
    }

    private static ThreadLocal<Member> member(BiConsumer<UUID, String> insert) {
        return ThreadLocal.withInitial(() -> {
            Member member = new Member();
            insert.accept(member.id, member.login);
            return member;
        });
    }

    /** {@return what the slower of both did in a second} */
    private double manyThreads(int threads, Duration slice) throws Exception {
        double ours = 0;
        double theirs = 0;
        Random random = new Random(1);
        for (int i = -1; i < SLICES; i++) {
            boolean oursFirst = random.nextBoolean();
            double before = oursFirst ? 0 : theirsPerSecond(threads, slice);
            double own = perSecond(threads, slice, this::insert);
            double other = oursFirst ? theirsPerSecond(threads, slice) : before;
            if (i >= 0) {
                ours += own / SLICES;
                theirs += other / SLICES;
            }
        }
        Figure inserts =
                Figure.ratio("inserts of " + threads + " threads", "/s", ours, "the gist's third attempt", theirs);
        figures.add(threads == Throughput.THREADS ? inserts.withGoal(Goal.atLeast(1.3)) : inserts);
        return Math.min(ours, theirs);
    }

    private double theirsPerSecond(int threads, Duration slice) throws Exception {
        return perSecond(threads, slice, () -> withLogin(byHand::insertUnderALock));
    }

    private static double perSecond(int threads, Duration slice, Throughput.Work work) throws Exception {
        return Throughput.perSecond(threads, slice, List.of(work)).get(0);
    }

    private void atRate(double rate, Duration slice) throws Exception {
        Times ours = new Times();
        Times theirs = new Times();
        // One slice more on each side first: what ran before has left the server something to tidy up.
        Load.atRate(rate, slice, this::insert, new Times());
        Load.atRate(rate, slice, () -> withLogin(byHand::insert), new Times());
        for (int i = 0; i < RATED_SLICES; i++) {
            if (i % 2 == 0) {
                Load.atRate(rate, slice, this::insert, ours);
            }
            Load.atRate(rate, slice, () -> withLogin(byHand::insert), theirs);
            if (i % 2 == 1) {
                Load.atRate(rate, slice, this::insert, ours);
            }
        }
        for (int percentile : List.of(50, 99)) {
            figures.add(Figure.ratio(
                    "inserts that come at %.0f /s, p%d".formatted(rate, percentile),
                    "ms",
                    ours.percentileMillis(percentile / 100.0),
                    "transaction, write by hand",
                    theirs.percentileMillis(percentile / 100.0)));
        }
    }

    private void insert() {
        withLogin((id, login) -> ones.insert(one(id, login, "Wien")));
    }

    private void grow(ConfigurableApplicationContext application, int claims, Duration howLong) throws Exception {
        CqlSession session = application.getBean(CqlSession.class);
        ConditionalWrites writes = application.getBean(ConditionalWrites.class);
        Grown few = new Grown(session, writes, "few").with(FEW);
        Grown many = new Grown(session, writes, "many").with(claims);
        String beside = "insert beside %d claims";
        Contest contest = new Contest()
                .with(beside.formatted(FEW), few::insert)
                .with(beside.formatted(claims), many::insert)
                .run(howLong);
        compare(contest, "", beside.formatted(claims), beside.formatted(FEW), 1.10);
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

    private static WithASet withASet(UUID id, String login) {
        return new WithASet(id, login, login + "@example.org", "Wien", Set.of("ROLE_USER", "ROLE_ADMIN"));
    }

    private void compare(Contest contest, String how, String one, String other, double goal) {
        figures.add(contest.compare(how, one, other).withGoal(Goal.atMost(goal)));
    }

    private static ConfigurableApplicationContext application(EmbeddedCassandra server) {
        createTables(server);
        return MeasuredApplication.start(Application.class, server, KEYSPACE);
    }
}
