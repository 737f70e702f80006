package io.surewrite.adoption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.lease.adapter.LeaseLockProvider;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.UniqueFinder;
import io.surewrite.unique.UniqueReport;
import io.surewrite.write.WriteScope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.cassandra.CassandraLockProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;
import org.springframework.data.repository.NoRepositoryBean;

/** The other paths of docs/migration.md: each step with processes of the former release, the release between, and the last. */
@Timeout(120)
@LongLane
class MigrationPathsIntegrationTests extends CassandraTest {

    @BeforeEach
    void createCustomers() {
        List.of("adopted_customer", "surewrite_claim", "surewrite_unique_repair")
                .forEach(table -> session.execute("DROP TABLE IF EXISTS " + table));
        session.execute("CREATE TABLE adopted_customer (id uuid PRIMARY KEY, email text)");
    }

    @Table("adopted_customer")
    record Customer(@PrimaryKey UUID id, String email) {

        static Customer named(String email) {
            return new Customer(UUID.randomUUID(), email);
        }
    }

    @NoRepositoryBean
    interface Customers extends CassandraRepository<Customer, UUID> {}

    interface FormerCustomers extends Customers {}

    @UniqueBy(value = "email", name = "customer-email")
    interface ClaimedCustomers extends Customers {}

    // ---- from plain Spring Data ----

    @Test
    void takesPlainSpringDataOverStepByStep() {
        Customer ann = Customer.named("ann");
        // Step 1: the starter alone.
        application().withUserConfiguration(PlainShop.class).run(context -> {
            Customers customers = context.getBean(Customers.class);
            customers.insert(ann);
            customers.insert(Customer.named("ann"));
            customers.deleteAll();
            assertThat(customers.count()).isZero();
            customers.insert(ann);
        });
        // Steps 2, 4 and 5
        application().withUserConfiguration(SureShop.class).run(context -> {
            Customers customers = context.getBean(Customers.class);
            UniqueReport report = context.getBean(UniqueConstraints.class).repair("customer-email");
            assertThat(report.isValid()).isTrue();
            assertThatExceptionOfType(DuplicateValueException.class)
                    .isThrownBy(() -> customers.insert(Customer.named("ann")));
            customers.deleteAll();
            customers.insert(Customer.named("ann"));
            customers.deleteAll();
        });
    }

    // ---- from a unique check of one's own ----

    /** Reads first, then writes. */
    private static void requireFree(String email) {
        if (session.execute("SELECT id FROM adopted_customer WHERE email = ? ALLOW FILTERING", email)
                        .one()
                != null) {
            throw new DuplicateKeyException("taken");
        }
    }

    @Test
    void replacesAUniqueCheckStepByStep() {
        Customer ann = Customer.named("ann");
        Customer second = Customer.named("ann");
        for (Customer former : List.of(ann, second, Customer.named("bob"))) {
            session.execute("INSERT INTO adopted_customer (id, email) VALUES (?, ?)", former.id(), former.email());
        }
        application().withUserConfiguration(SureShop.class).run(context -> {
            Customers customers = context.getBean(Customers.class);
            // Steps 2 and 3: each respects the rows of the other.
            assertThatExceptionOfType(DuplicateKeyException.class).isThrownBy(() -> requireFree("bob"));
            requireFree("eve");
            customers.insert(Customer.named("eve"));
            assertThatExceptionOfType(DuplicateKeyException.class)
                    .as("a process of the former release")
                    .isThrownBy(() -> requireFree("eve"));
            requireFree("joe"); // and so does the other
            customers.insert(Customer.named("joe"));
            assertThatExceptionOfType(DuplicateValueException.class)
                    .isThrownBy(() -> customers.insert(Customer.named("joe")));
            // Step 4
            UniqueConstraints constraints = context.getBean(UniqueConstraints.class);
            UniqueReport report = constraints.repair("customer-email");
            assertThat(report.isValid()).isFalse();
            assertThat(report.firstDuplicates())
                    .singleElement()
                    .satisfies(twins -> assertThat(List.of(twins.holder(), twins.other()))
                            .containsExactlyInAnyOrder(Map.of("id", ann.id()), Map.of("id", second.id())));
            customers.save(new Customer(second.id(), "ann2"));
            assertThat(constraints.repair("customer-email").isValid()).isTrue();
            // Step 5: without the check.
            assertThatExceptionOfType(DuplicateValueException.class)
                    .isThrownBy(() -> customers.insert(Customer.named("bob")));
            assertThat(context.getBean(UniqueFinder.class).find("customer-email", Customer.class, "ann"))
                    .contains(ann);
        });
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
            session.execute("DROP TABLE lock");
            SimpleLock held = ours.lock(task()).orElseThrow();
            assertThat(ours.lock(task())).isEmpty();
            held.unlock();
            ours.lock(task()).orElseThrow().unlock();
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class BothLocks {

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

    // ---- from a hand-written lock ----

    /** The usual code. */
    private record OldLock(String owner) {

        boolean acquire(String name) {
            return session.execute(
                            "INSERT INTO adopted_lock (name, owner) VALUES (?, ?) IF NOT EXISTS USING TTL 30",
                            name,
                            owner)
                    .wasApplied();
        }

        void release(String name) {
            session.execute("DELETE FROM adopted_lock WHERE name = ? IF owner = ?", name, owner);
        }
    }

    /** Step 2. */
    private static boolean importUnderBoth(LeaseLocks locks, OldLock oldLock, Runnable work)
            throws InterruptedException {
        Optional<Lease> outer = locks.tryAcquire(LeaseRequest.of("import"), Duration.ofMillis(100));
        if (outer.isEmpty()) {
            return false;
        }
        try (Lease lease = outer.get()) {
            if (!oldLock.acquire("import")) {
                return false;
            }
            try {
                assertThat(lease.isHeld()).isTrue();
                work.run();
                return true;
            } finally {
                oldLock.release("import");
            }
        }
    }

    @Test
    void replacesALockStepByStep() {
        session.execute("CREATE TABLE adopted_lock (name text PRIMARY KEY, owner text)");
        OldLock former = new OldLock("former");
        OldLock between = new OldLock("between");
        List<String> worked = new ArrayList<>();
        application().run(context -> {
            LeaseLocks locks = context.getBean(LeaseLocks.class);
            // Step 2: old processes by the lock, new ones by the lease.
            assertThat(former.acquire("import")).isTrue();
            assertThat(importUnderBoth(locks, between, () -> worked.add("beside the former release")))
                    .isFalse();
            former.release("import");
            assertThat(importUnderBoth(locks, between, () -> {
                        worked.add("between");
                        assertThat(former.acquire("import"))
                                .as("in the former release")
                                .isFalse();
                        assertThat(locks.tryAcquire("import"))
                                .as("in the next release")
                                .isEmpty();
                    }))
                    .isTrue();
            assertThat(worked).containsExactly("between");
            // Step 3
            session.execute("DROP TABLE adopted_lock");
            try (Lease lease = locks.acquire("import", Duration.ofSeconds(10))) {
                // Step 4
                assertThat(lease.isHeld()).isTrue();
                assertThat(locks.tryAcquire("import")).isEmpty();
            }
            locks.acquire("import", Duration.ofSeconds(10)).close();
        });
    }

    // ---- from a retry of one's own ----

    /** Each attempt of the application's own retry is a new decision: it may write over what others wrote meanwhile. */
    @Test
    void replacesARetryByOneThatDecidesOnce() {
        session.execute("CREATE TABLE adopted_retried (id uuid PRIMARY KEY, email text)");
        application().withUserConfiguration(Retrying.class).run(context -> {
            Failing failing = context.getBean(Failing.class);
            Retried retried = context.getBean(Retried.class);
            RetryTemplate own = new RetryTemplate(
                    RetryPolicy.builder().maxRetries(3).delay(Duration.ZERO).build());

            failing.times(5);
            Message message = new Message(UUID.randomUUID(), "ann");
            own.execute(() -> retried.save(message));
            assertThat(failing.timestamps.stream().distinct())
                    .as("with the own retry around it")
                    .hasSize(2);

            failing.times(2);
            retried.save(message);
            assertThat(failing.timestamps).hasSize(3);
            assertThat(failing.timestamps.stream().distinct()).as("without").hasSize(1);
            assertThat(retried.findById(message.id())).contains(message);
        });
    }

    @Table("adopted_retried")
    record Message(@PrimaryKey UUID id, String email) {}

    interface Retried extends CassandraRepository<Message, UUID> {

        @Override
        @Idempotent(attempts = 4)
        <S extends Message> S save(S message);
    }

    /** Fails as a cluster does that is away for a moment. */
    static final class Failing implements BeforeConvertCallback<Message> {

        private final List<Long> timestamps = new ArrayList<>();
        private int left;

        void times(int failures) {
            timestamps.clear();
            left = failures;
        }

        @Override
        public Message onBeforeConvert(Message message, CqlIdentifier table) {
            timestamps.add(WriteScope.current().timestamp());
            if (left-- > 0) {
                throw new DriverTimeoutException("no answer");
            }
            return message;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Retried.class))
    static class Retrying {

        @Bean
        Failing failing() {
            return new Failing();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = FormerCustomers.class))
    static class PlainShop {}

    @Configuration(proxyBeanMethods = false)
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = ClaimedCustomers.class))
    static class SureShop {}
}
