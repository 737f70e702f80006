package io.surewrite.lease.tenure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.cql.settle.SerialConsistencyRow;
import io.surewrite.lease.CloseableLeaseLocks;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseListener;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.test.CassandraTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows of names that are not used go away, and their tokens go on all the same. */
class LeaseSweepIntegrationTests extends CassandraTest {

    private static final Duration DAY = Duration.ofDays(1);

    /** Nodes tell the time in whole milliseconds, and rows in microseconds. */
    private static final Duration ANY_AGE = Duration.ofHours(-1);

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static CassandraLeases leases;

    private final String name = "job:" + UUID.randomUUID();
    private final AtomicLong swept = new AtomicLong();
    private CloseableLeaseLocks one;
    private CloseableLeaseLocks other;
    private CassandraLeaseStore rows;

    @BeforeAll
    static void createTable() {
        leases = new CassandraLeases(session);
    }

    @AfterAll
    static void close() {
        leases.close();
    }

    @BeforeEach
    void start() {
        one = process();
        other = process();
        rows = new CassandraLeaseStore(session, leases.writes(), "surewrite_lease");
        sweep(ANY_AGE);
        swept.set(0);
    }

    @AfterEach
    void stop() {
        one.close();
        other.close();
    }

    private static CloseableLeaseLocks process() {
        return leases.process(LeaseLocksContract.settings("me"), new LeaseListener() {});
    }

    private long sweep(Duration retention) {
        LeaseListener counting = new LeaseListener() {
            @Override
            public void swept(int count) {
                swept.addAndGet(count);
            }
        };
        return new LeaseSweep(rows, retention, TIMEOUT, counting)
                .run(() -> true)
                .toCompletableFuture()
                .join();
    }

    private static long use(LeaseLocks locks, String used) {
        try (Lease lease = locks.tryAcquire(used).orElseThrow()) {
            return lease.token();
        }
    }

    private static @Nullable Row row(String of) {
        return session.execute(SimpleStatement.newInstance("SELECT * FROM surewrite_lease WHERE name = ?", of))
                .one();
    }

    @Test
    void tokensGoOnAfterTheRowWasRemoved() {
        List<Long> tokens = new ArrayList<>();
        for (int round = 0; round < 5; round++) {
            // One remembers, the next only knows the floor that it saw long ago, the last knows nothing.
            for (LeaseLocks locks : List.of(one, other, one)) {
                tokens.add(use(locks, name));
            }
            assertThat(sweep(ANY_AGE)).isEqualTo(1);
            assertThat(row(name)).isNull();
            try (CloseableLeaseLocks fresh = process()) {
                tokens.add(use(fresh, name));
            }
            assertThat(sweep(ANY_AGE)).isEqualTo(1);
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
        assertThat(swept).hasValue(10);
    }

    /** Whoever makes a row anew and dies leaves an epoch that the next one does not trust. */
    @Test
    void anEpochThatWasNotComparedWithTheFloorIsNotTrusted() {
        long before = 0;
        for (int i = 0; i < 3; i++) {
            before = use(one, name);
        }
        assertThat(sweep(ANY_AGE)).isEqualTo(1);
        CassandraLeaseStore store = new CassandraLeaseStore(session, leases.writes(), "surewrite_lease");
        LeaseWrite blind =
                new LeaseWrite(name, UUID.randomUUID(), 0, 11, "blind", null, Duration.ofSeconds(30), 0, false, 1);
        assertThat(store.acquire(blind, TIMEOUT).toCompletableFuture().join()).isEqualTo(new LeaseAnswer.Done());
        // Expired in the end, it would look the same.
        leases.clear(name);

        assertThat(use(other, name)).isGreaterThan(before);
        assertThat(Objects.requireNonNull(row(name)).getLong("epoch")).isEven();
    }

    @Test
    void leavesWhatIsHeldOrWasUsedAndWhatIsNoLease() {
        LeaseLocksFactory.requireOneSerialConsistency(session, leases.writes(), "surewrite_lease", TIMEOUT);
        use(one, name);
        assertThat(sweep(DAY)).isZero();
        try (Lease held = one.tryAcquire(name).orElseThrow()) {
            assertThat(sweep(ANY_AGE)).isZero();
            assertThat(held.renew()).isTrue();
        }
        assertThat(sweep(ANY_AGE)).isEqualTo(1);
        assertThat(sweep(ANY_AGE)).isZero();
        assertThat(row(LeaseRequest.FLOOR_NAME)).isNotNull();
        assertThat(row(SerialConsistencyRow.NAME)).isNotNull();
        assertThatIllegalArgumentException().isThrownBy(() -> LeaseRequest.of(LeaseRequest.FLOOR_NAME));
    }

    /** Under a name whose writes may still be the newer ones nothing is forgotten, whatever clock they came from. */
    @Test
    void leavesARowWhoseWritesAreNewer() {
        use(one, name);
        long ahead = (System.currentTimeMillis() + DAY.toMillis()) * 1000;
        session.execute(SimpleStatement.newInstance(
                "UPDATE surewrite_lease SET write_ts = ? WHERE name = ? IF EXISTS", ahead, name));
        assertThat(sweep(ANY_AGE)).isZero();
        assertThat(row(name)).isNotNull();
    }

    @Test
    void leavesARowThatWasUsedSinceItLooked() {
        use(one, name);
        long seen = Objects.requireNonNull(row(name)).getLong("epoch");
        use(one, name);
        assertThat(join(rows.remove(name, seen, TIMEOUT)))
                .isInstanceOfSatisfying(
                        LeaseAnswer.Refused.class,
                        refused -> assertThat(refused.epoch()).isGreaterThan(seen));
        assertThat(row(name)).isNotNull();
    }

    @Test
    void goesThroughManyPagesAndStopsWhenItMustNotGoOn() {
        int names = 510;
        List<CompletionStage<?>> written = new ArrayList<>();
        for (int i = 0; i < names; i++) {
            written.add(session.executeAsync(SimpleStatement.newInstance(
                    "INSERT INTO surewrite_lease (name, epoch) VALUES (?, ?) USING TIMESTAMP 1", name + i, i + 1L)));
        }
        written.forEach(LeaseSweepIntegrationTests::join);
        AtomicLong asked = new AtomicLong();
        long first = new LeaseSweep(rows, ANY_AGE, TIMEOUT, new LeaseListener() {})
                .run(() -> asked.incrementAndGet() < 10)
                .toCompletableFuture()
                .join();
        assertThat(first).isBetween(1L, names - 1L);
        assertThat(sweep(ANY_AGE)).isEqualTo(names - first);
        assertThat(Objects.requireNonNull(row(LeaseRequest.FLOOR_NAME)).getLong("epoch"))
                .isGreaterThanOrEqualTo(names);
    }

    private static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
