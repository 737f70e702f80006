package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.lease.Lease.ReleaseOutcome;
import io.surewrite.lease.LeaseLocks.CloseableLeaseLocks;
import io.surewrite.lease.LeaseStore.LeaseAnswer;
import io.surewrite.lease.LeaseStore.LeaseWrite;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.Waits;
import io.surewrite.testsupport.InEachCell;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Why the protocol is as it is, shown on a real server. */
@InEachCell(InEachCell.Subject.LEASES)
@Execution(ExecutionMode.CONCURRENT) // They wait most of their time.
class LeaseProtocolIntegrationTests extends CassandraTest {

    private static final Duration TWO_SECONDS = Duration.ofSeconds(2);

    /** A ttl of two would leave a busy machine half a second. */
    private static final Duration SHORT = Duration.ofSeconds(4);

    private static CassandraLeases leases;

    private final String name = "item:" + UUID.randomUUID();
    private CloseableLeaseLocks locks;
    private CassandraLeaseStore store;

    @BeforeAll
    static void createTables() {
        leases = new CassandraLeases(session);
        session.execute("CREATE TABLE IF NOT EXISTS guarded (id text PRIMARY KEY, text text, fence bigint)");
        session.execute("CREATE TABLE IF NOT EXISTS plain (id text PRIMARY KEY, text text)");
    }

    @BeforeEach
    void start() {
        locks = leases.process(LeaseLocksContract.settings("me"), new UnheardLeases());
        store = new CassandraLeaseStore(session, leases.writes(), "surewrite_lease");
    }

    @AfterEach
    void stop() {
        locks.close();
    }

    @Test
    @Waits
    void neverLosesItsOwnRelease() {
        for (int i = 0; i < 300; i++) {
            Lease lease = locks.tryAcquire(name).orElseThrow();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            assertThat(row("SELECT lease_id FROM surewrite_lease WHERE name = '" + name + "'")
                            .getUuid(0))
                    .isNull();
        }
    }

    /** A row marker with a TTL of its own would take the epoch with it. */
    @Test
    void renewsEveryColumnWithATtl() throws Exception {
        LeaseWrite claim = new LeaseWrite(name, UUID.randomUUID(), 0, 5, "me", LeaseLocksContract.TTL, 0, false, 1);
        assertThat(store.acquire(claim, TWO_SECONDS).toCompletableFuture().join())
                .isEqualTo(new LeaseAnswer.Done());
        Thread.sleep(1_200);
        LeaseWrite renewed = claim.replacedBy(UUID.randomUUID(), claim.ttl(), claim.reserved());
        assertThat(store.renew(Set.of(claim.leaseId()), renewed, TWO_SECONDS)
                        .toCompletableFuture()
                        .join())
                .isEqualTo(new LeaseAnswer.Done());
        Row row = row("SELECT TTL(lease_id), TTL(holder), TTL(epoch) FROM surewrite_lease WHERE name = '" + name + "'");
        assertThat(row.getInt(0)).isGreaterThan(30).isEqualTo(row.getInt(1));
        assertThat(row.isNull(2)).isTrue();
    }

    @Test
    @Waits
    void stopsThePausedHoldersConditionalWriteByItsFence() throws Exception {
        session.execute("INSERT INTO guarded (id, fence) VALUES (?, 0) IF NOT EXISTS", name);
        Lease paused = loseAfterAPause();
        try (Lease next = locks.acquire(name, Duration.ofSeconds(10))) {
            assertThat(guardedWrite("new", next.nextFence())).isTrue();
            assertThat(guardedWrite("newer", next.nextFence())).isTrue();
            assertThat(guardedWrite("of the past", paused.nextFence())).isFalse();
        }
        assertThat(row("SELECT text FROM guarded" + whereId()).getString(0)).isEqualTo("newer");
    }

    @Test
    @Waits
    void stopsThePausedHoldersPlainWriteByItsTimestamp() throws Exception {
        Lease paused = loseAfterAPause();
        try (Lease next = locks.acquire(name, Duration.ofSeconds(10))) {
            plainWrite("new", next.nextFence());
            plainWrite("newer", next.nextFence());
            plainWrite("of the past", paused.nextFence());
        }
        assertThat(row("SELECT text FROM plain" + whereId()).getString(0)).isEqualTo("newer");
    }

    /** A holder that was paused so long that its lease ran out: nobody renewed it meanwhile. */
    private Lease loseAfterAPause() throws InterruptedException {
        LeaseRequest request = LeaseRequest.of(name).withTtl(SHORT).withoutRenewal();
        // A busy machine may need several attempts to get one before it is over.
        Lease lease = Awaitility.await()
                .atMost(LeaseLocksContract.PATIENCE)
                .ignoreExceptionsInstanceOf(LeaseUnavailableException.class)
                .until(() -> locks.tryAcquire(request), Optional::isPresent)
                .orElseThrow();
        Thread.sleep(SHORT.toMillis());
        return lease;
    }

    /** Every test has rows of its own. */
    private String whereId() {
        return " WHERE id = '" + name + "'";
    }

    private boolean guardedWrite(String text, long fence) {
        return session.execute(SimpleStatement.newInstance(
                        "UPDATE guarded SET text = ?, fence = ?" + whereId() + " IF fence < ?", text, fence, fence))
                .wasApplied();
    }

    private void plainWrite(String text, long fence) {
        session.execute(SimpleStatement.newInstance("INSERT INTO plain (id, text) VALUES (?, ?)", name, text)
                .setQueryTimestamp(fence));
    }

    private static Row row(String cql) {
        return session.execute(cql).one();
    }
}
