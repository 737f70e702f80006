package io.surewrite.verification.benchmark;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.unique.UniqueBy;
import java.time.Duration;
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

/** Two constraints beside one, a changed value beside the same by hand, and inserts beside a lock around read and write. */
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

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters =
                    @Filter(
                            type = FilterType.ASSIGNABLE_TYPE,
                            classes = {Ones.class, Twos.class}))
    static class Application {}

    @Override
    public void measure(EmbeddedCassandra server, Duration howLong, Results results) throws Exception {
        try (ConfigurableApplicationContext application =
                MeasuredApplication.start(Application.class, server, "uniq", MeasuredApplication.WITH_TABLES)) {
            Ones ones = application.getBean(Ones.class);
            Twos twos = application.getBean(Twos.class);
            HandWrittenClaims byHand = new HandWrittenClaims(application.getBean(CqlSession.class));
            BiConsumer<UUID, String> insert = (id, login) -> ones.insert(one(id, login, "Wien"));
            ThreadLocal<Member> changing = member(insert);
            ThreadLocal<Member> changingByHand = member(byHand::insert);
            Contest contest = new Contest()
                    .with("insert", () -> withLogin(insert))
                    .with(
                            "insert, two constraints",
                            () -> withLogin(
                                    (id, login) -> twos.insert(new Two(id, login, login + "@example.org", "Wien"))))
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
            contest.compare(results, "save, the value changed", "read, transaction, write, transaction by hand", 1.10);
        }
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
}
