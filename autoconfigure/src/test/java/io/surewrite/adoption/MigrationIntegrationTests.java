package io.surewrite.adoption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.adapter.LeaseLockProvider;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnServer;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueBy.Normalisation;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.UniqueFinder;
import io.surewrite.unique.UniqueReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.cassandra.CassandraLockProvider;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** Two paths of docs/migration.md, step by step, on tables that are in use. */
@LongLane
class MigrationIntegrationTests extends CassandraTest {

    // ---- from look-up tables of one's own ----

    @Table("adopted_user")
    record User(@PrimaryKey UUID id, String login) {

        static User named(String login) {
            return new User(UUID.randomUUID(), login);
        }
    }

    @UniqueBy(value = "login", name = "user-login", normalise = Normalisation.CASE_FOLDED)
    interface Users extends CassandraRepository<User, UUID> {}

    @Test
    void replacesALookUpTableStepByStep() {
        session.execute("CREATE TABLE adopted_user (id uuid PRIMARY KEY, login text)");
        session.execute("CREATE TABLE user_by_login (login text PRIMARY KEY, id uuid)");
        User ann = User.named("ann");
        User secondAnn = User.named("ann");
        for (User before : List.of(ann, User.named("bob"), secondAnn)) {
            session.execute("INSERT INTO adopted_user (id, login) VALUES (?, ?)", before.id(), before.login());
            lookUp(Optional.empty(), before);
        }
        assertThat(idOf("ann")).as("the first one was lost").contains(secondAnn.id());
        OwnServer.with(Users.class, application()).run(context -> {
            Users users = context.getBean(Users.class);
            writesBoth(users);
            repairs(context.getBean(UniqueConstraints.class), users, ann, secondAnn);
            readsByTheClaims(context, ann, secondAnn);
        });
    }

    /** Step 3: the claims decide, and processes of the former release still find what they look up. */
    private static void writesBoth(Users users) {
        User eve = save(users, User.named("eve"));
        assertThatExceptionOfType(DuplicateValueException.class).isThrownBy(() -> save(users, User.named("Eve")));
        assertThat(idOf("Eve")).as("a refused user is in no look-up table").isEmpty();
        save(users, new User(eve.id(), "eva"));
        assertThat(idOf("eve")).isEmpty();
        assertThat(idOf("eva")).contains(eve.id());
    }

    private static User save(Users users, User user) {
        Optional<User> former = users.findById(user.id());
        User saved = users.save(user); // ends here if the login is taken
        lookUp(former, saved);
        return saved;
    }

    private static void lookUp(Optional<User> former, User user) {
        former.ifPresent(old -> session.execute("DELETE FROM user_by_login WHERE login = ?", old.login()));
        session.execute("INSERT INTO user_by_login (login, id) VALUES (?, ?)", user.login(), user.id());
    }

    private static Optional<UUID> idOf(String login) {
        Row row = session.execute("SELECT id FROM user_by_login WHERE login = ?", login)
                .one();
        return Optional.ofNullable(row).map(found -> found.getUuid("id"));
    }

    /** Step 5. */
    private static void repairs(UniqueConstraints constraints, Users users, User ann, User secondAnn) {
        UniqueReport report = constraints.repair("user-login");
        assertThat(report.isValid()).isFalse();
        assertThat(report.firstDuplicates())
                .singleElement()
                .satisfies(duplicate -> assertThat(List.of(duplicate.holder(), duplicate.other()))
                        .containsExactlyInAnyOrder(Map.of("id", ann.id()), Map.of("id", secondAnn.id())));

        save(users, new User(secondAnn.id(), "ann2"));
        assertThat(constraints.repair("user-login").isValid()).isTrue();
    }

    /** Step 6. */
    private static void readsByTheClaims(ApplicationContext context, User ann, User secondAnn) {
        session.execute("DROP TABLE user_by_login");
        UniqueFinder finder = context.getBean(UniqueFinder.class);
        assertThat(finder.find("user-login", User.class, "Ann")).contains(ann);
        assertThat(finder.find("user-login", User.class, "ann2")).contains(new User(secondAnn.id(), "ann2"));
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> context.getBean(Users.class).save(User.named("bob")));
    }

    // ---- from ShedLock ----

    private static LockConfiguration task() {
        return new LockConfiguration(Instant.now(), "nightly", Duration.ofMinutes(5), Duration.ZERO);
    }

    @Test
    void replacesShedLocksProviderStepByStep() {
        session.execute("CREATE TABLE lock (name text PRIMARY KEY, lockUntil timestamp, lockedAt timestamp,"
                + " lockedBy text)");
        LockProvider former = new CassandraLockProvider(session);
        application().withUserConfiguration(BothLocks.class).run(context -> {
            // Step 3
            LockProvider both = context.getBean(LockProvider.class);
            assertThat(context).doesNotHaveBean(LeaseLockProvider.class);
            LeaseLocks locks = context.getBean(LeaseLocks.class);
            SimpleLock held = former.lock(task()).orElseThrow();
            assertThat(both.lock(task())).as("beside the former release").isEmpty();
            held.unlock();

            held = both.lock(task()).orElseThrow();
            assertThat(former.lock(task())).as("in the former release").isEmpty();
            assertThat(new LeaseLockProvider(locks, "shedlock:").lock(task()))
                    .as("in the next release")
                    .isEmpty();
            held.unlock();
            former.lock(task()).orElseThrow().unlock();
        });
        application().run(context -> {
            // Steps 1 and 4
            LockProvider ours = context.getBean(LockProvider.class);
            assertThat(ours).isInstanceOf(LeaseLockProvider.class);
            SimpleLock held = ours.lock(task()).orElseThrow();
            assertThat(ours.lock(task())).isEmpty();
            held.unlock();
            ours.lock(task()).orElseThrow().unlock();
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class BothLocks {

        /** As the guide has it. */
        @Bean
        LockProvider both(LeaseLocks locks, CqlSession session) {
            LockProvider ours = new LeaseLockProvider(locks, "shedlock:");
            LockProvider theirs = new CassandraLockProvider(session);
            return task -> ours.lock(task).flatMap(outer -> {
                Optional<SimpleLock> inner = theirs.lock(task);
                if (inner.isEmpty()) {
                    outer.unlock();
                }
                return inner.map(lock -> () -> {
                    lock.unlock();
                    outer.unlock();
                });
            });
        }
    }
}
