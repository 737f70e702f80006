package io.surewrite.verification.benchmark;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.unique.UniqueBy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/** Several constraints beside one, a changed value beside the same by hand, and inserts beside a lock around read and write. */
final class UniqueBenchmark implements Benchmarks.Benchmark {

    @Table("one_member")
    record One(@PrimaryKey UUID id, String login, String email, String city) {}

    @UniqueBy("login")
    interface Ones extends CassandraRepository<One, UUID> {}

    @Table("two_member")
    record Two(@PrimaryKey UUID id, String login, String email, String city) {}

    @UniqueBy("login")
    @UniqueBy("email")
    interface Twos extends CassandraRepository<Two, UUID> {}

    @Table("set_member")
    record WithASet(@PrimaryKey UUID id, String login, Set<String> roles) {}

    @UniqueBy("login")
    interface WithSets extends CassandraRepository<WithASet, UUID> {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters =
                    @Filter(
                            type = FilterType.ASSIGNABLE_TYPE,
                            classes = {Ones.class, Twos.class, WithSets.class}))
    static class Application {}

    @Override
    public void measure(EmbeddedCassandra server, Duration howLong, Results results) throws Exception {
        try (ConfigurableApplicationContext application =
                MeasuredApplication.start(Application.class, server, "uniq", MeasuredApplication.WITH_TABLES)) {
            compare(application, howLong, results);
        }
    }

    private static void compare(ConfigurableApplicationContext application, Duration howLong, Results results)
            throws Exception {
        CqlSession session = application.getBean(CqlSession.class);
        Ones ones = application.getBean(Ones.class);
        Twos twos = application.getBean(Twos.class);
        WithSets sets = application.getBean(WithSets.class);
        HandWrittenClaims byHand = new HandWrittenClaims(session);
        BiConsumer<UUID, String> insert = (id, login) -> ones.insert(one(id, login, "Wien"));
        ThreadLocal<Member> changing = member(insert);
        ThreadLocal<Member> changingByHand = member(byHand::insert);
        Contest contest = new Contest()
                .with("insert", () -> withLogin(insert))
                .with("insert, two constraints", () -> withLogin((id, login) -> twos.insert(two(id, login))))
                .with(
                        "insert, one constraint and a set",
                        () -> withLogin((id, login) -> sets.insert(new WithASet(id, login, Set.of("USER", "ADMIN")))))
                .with("lock, read, write, unlock by hand", () -> withLogin(byHand::insertUnderALock))
                .with(
                        "save, the value changed",
                        () -> changing.get().change((id, before, next) -> ones.save(one(id, next, "Wien"))))
                .with(
                        "read, transaction, write, transaction by hand",
                        () -> changingByHand.get().change(byHand::change))
                .run(howLong);
        contest.compare(results, "insert", "lock, read, write, unlock by hand", 0.65);
        contest.compare(results, "insert, two constraints", "insert", 1.5);
        // Two claims each, of which one is the row's.
        contest.compare(results, "insert, one constraint and a set", "insert, two constraints", 1.10);
        contest.compare(results, "save, the value changed", "read, transaction, write, transaction by hand", 1.10);
        // By many, one after the other, and once more the other way round.
        Duration turn = howLong.dividedBy(20);
        Throughput.Work ours = () -> withLogin(insert);
        Throughput.Work theirs = () -> withLogin(byHand::insertUnderALock);
        double their = perSecond(turn, theirs);
        double our = perSecond(turn, ours) + perSecond(turn, ours);
        their += perSecond(turn, theirs);
        results.atLeast(1.3, "inserts of 16 threads", "/s", our / 2, "lock, read, write, unlock by hand", their / 2);
    }

    private static double perSecond(Duration turn, Throughput.Work work) throws Exception {
        return Throughput.perSecond(turn, List.of(work)).get(0);
    }

    /** A row that one thread saves again and again. */
    static final class Member {

        private final UUID id = UUID.randomUUID();
        private String login = "login-" + id;
        private int saves;

        /** One way to save it. */
        interface Save {

            void save(UUID id, String login, String next);
        }

        void save(Save save) {
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

    static ThreadLocal<Member> member(BiConsumer<UUID, String> insert) {
        return ThreadLocal.withInitial(() -> {
            Member member = new Member();
            insert.accept(member.id, member.login);
            return member;
        });
    }

    static void withLogin(BiConsumer<UUID, String> insert) {
        UUID id = UUID.randomUUID();
        insert.accept(id, "login-" + id);
    }

    static One one(UUID id, String login, String city) {
        return new One(id, login, login + "@example.org", city);
    }

    private static Two two(UUID id, String login) {
        return new Two(id, login, login + "@example.org", "Wien");
    }
}
