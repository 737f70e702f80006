package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.lease.AcquireOutcome;
import io.surewrite.lease.LeaseInfo;
import io.surewrite.lease.LeaseListener;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.test.CassandraTest;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueBy;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.support.CassandraRepositoryFactoryBean;

/** Claims of writers that died go away in the background, where that is asked for. */
class ClaimSweepIntegrationTests extends CassandraTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String ABANDONED = UUID.randomUUID() + "@example.org";
    private static final String CLAIM =
            "SELECT owner, lease FROM surewrite_claim WHERE constraint_name = 'guest-email' AND value = ?";

    @BeforeAll
    static void createTable() {
        session.execute("CREATE TABLE guest (id uuid PRIMARY KEY, email text)");
    }

    @Test
    void removesAbandonedClaimsUnderALease() {
        Refusals refusals = new Refusals();
        sweeping().withBean(LeaseListener.class, () -> refusals).run(context -> {
            LeaseLocks locks = context.getBean(LeaseLocks.class);
            long held;
            // The first sweep may have been quicker.
            try (var busy = locks.acquire(SurewriteUniqueAutoConfiguration.CLAIM_SWEEP, PATIENCE)) {
                Guests guests = abandonOne(context.getBean(Guests.class));
                Awaitility.await().atMost(PATIENCE).until(() -> isOver(ABANDONED));
                int before = refusals.ofSweeps.get();
                Awaitility.await().atMost(PATIENCE).until(() -> refusals.ofSweeps.get() > before);
                assertThat(busy.isHeld()).isTrue();
                held = locks.inspect(SurewriteUniqueAutoConfiguration.CLAIM_SWEEP)
                        .orElseThrow()
                        .epoch();
                assertThat(isClaimed(ABANDONED)).isTrue();
                assertThatExceptionOfType(DuplicateValueException.class)
                        .isThrownBy(() -> guests.insert(new Guest(UUID.randomUUID(), "kept@example.org")));
            }
            awaitSweep();
            assertThat(locks.inspect(SurewriteUniqueAutoConfiguration.CLAIM_SWEEP))
                    .map(LeaseInfo::epoch)
                    .hasValueSatisfying(now -> assertThat(now).isGreaterThan(held));
        });
    }

    @Test
    void removesThemWhereThereAreNoLeases() {
        sweeping().withPropertyValues("surewrite.lease.enabled=false").run(context -> {
            abandonOne(context.getBean(Guests.class));
            awaitSweep();
        });
    }

    @Test
    void leavesThemUnlessItIsAskedFor() {
        application().run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(BackgroundSweep.class));
        application()
                .withPropertyValues("surewrite.unique.sweep.every=10ms")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("surewrite.unique.sweep.every"));
    }

    @SuppressWarnings({"rawtypes", "unchecked"})
    private static ApplicationContextRunner sweeping() {
        return application()
                .withPropertyValues(
                        "surewrite.unique.lease=2s",
                        "surewrite.unique.scan.slices=2",
                        "surewrite.unique.sweep.enabled=true",
                        "surewrite.unique.sweep.every=1s")
                .withBean(
                        CassandraRepositoryFactoryBean.class,
                        () -> new CassandraRepositoryFactoryBean(Guests.class),
                        definition -> definition
                                .getPropertyValues()
                                .add("cassandraTemplate", new RuntimeBeanReference(CassandraTemplate.class)));
    }

    /** A claim without its row, as of a writer that died in between, and one with its row. */
    private static Guests abandonOne(Guests guests) {
        Guest dead = new Guest(UUID.randomUUID(), ABANDONED);
        guests.insert(dead);
        session.execute("DELETE FROM guest WHERE id = " + dead.id());
        if (!isClaimed("kept@example.org")) {
            guests.insert(new Guest(UUID.randomUUID(), "kept@example.org"));
        }
        return guests;
    }

    private static void awaitSweep() {
        Awaitility.await().atMost(PATIENCE).until(() -> !isClaimed(ABANDONED));
        assertThat(isClaimed("kept@example.org")).isTrue();
    }

    private static boolean isClaimed(String email) {
        return claim(email) != null;
    }

    /** Whether the time of the one who claimed it is over. */
    private static boolean isOver(String email) {
        Row claim = claim(email);
        return claim != null && claim.isNull("lease");
    }

    private static @Nullable Row claim(String email) {
        return session.execute(CLAIM, email.length() + ":" + email).one();
    }

    /** Counts the sweeps that found another at it. */
    private static final class Refusals implements LeaseListener {

        final AtomicInteger ofSweeps = new AtomicInteger();

        @Override
        public void notAcquired(String name, Duration waited, AcquireOutcome outcome) {
            if (name.equals(SurewriteUniqueAutoConfiguration.CLAIM_SWEEP)) {
                ofSweeps.incrementAndGet();
            }
        }
    }

    /** A row. */
    @Table("guest")
    record Guest(@PrimaryKey UUID id, String email) {}

    @UniqueBy(value = "email", name = "guest-email")
    interface Guests extends CassandraRepository<Guest, UUID> {}
}
