package io.surewrite.lease.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.surewrite.lease.InMemoryLeases;
import io.surewrite.test.Waits;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.DistributedLock;

/** What Spring Integration expects of a distributed lock registry: two of them on one table. */
@Execution(ExecutionMode.CONCURRENT) // They wait most of their time.
@Timeout(60)
class LeaseLockRegistryTests {

    private final InMemoryLeases table = new InMemoryLeases();
    private final LeaseLockRegistry one = new LeaseLockRegistry(table.process(), "si:");
    private final LeaseLockRegistry other = new LeaseLockRegistry(table.process(), "si:");

    @AfterEach
    void close() {
        table.close();
    }

    @Test
    void locksAgainInTheSameThread() throws Exception {
        Lock lock = one.obtain("foo");
        lock.lockInterruptibly();
        assertThat(lock.tryLock()).isTrue();
        assertThat(one.obtain("foo").tryLock(1, TimeUnit.SECONDS)).isTrue();
        lock.unlock();
        one.obtain("foo").unlock();
        assertThat(other.obtain("foo").tryLock()).isFalse();
        lock.unlock();
        assertThat(other.obtain("foo").tryLock()).isTrue();
    }

    @Test
    void locksForATtlOfTheCallers() throws Exception {
        DistributedLock lock = one.obtain("foo");
        lock.lock(Duration.ofSeconds(20));
        assertThat(table.remaining("si:foo")).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(22));
        one.renewLock("foo", Duration.ofSeconds(39));
        assertThat(other.obtain("foo").tryLock(Duration.ofMillis(20), Duration.ofSeconds(20)))
                .isFalse();
        lock.unlock();
        assertThat(other.obtain("foo").tryLock(Duration.ofMillis(20), Duration.ofSeconds(20)))
                .isTrue();
    }

    @Test
    void refusesKeysThatNameNoLock() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> one.obtain(null))
                .withMessageContaining("must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> one.obtain(new Object()))
                .withMessageContaining("class java.lang.Object has no text of its own");
    }

    @Test
    void saysWhenItWasLostBeforeTheUnlock() {
        Lock lock = one.obtain("foo");
        lock.lock();
        table.clear("si:foo");
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(() -> one.renewLock("foo"));
        assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
        assertThat(lock.tryLock()).isTrue();
    }

    @Test
    @Waits
    void aLeaderThatIsCutOffStopsBeforeItsRowCanExpire() {
        Candidate candidate = new Candidate(() -> table.remaining("si:leader"));
        LockRegistryLeaderInitiator initiator = initiator(candidate);
        initiator.setHeartBeatMillis(100);
        initiator.start();
        await().until(() -> candidate.leads);
        table.fallSilent();
        await().until(() -> !candidate.leads);
        // A second for the table's whole seconds, 300 ms for the nodes' clocks, and a heart-beat.
        assertThat(candidate.leftWhenRevoked).isGreaterThan(Duration.ofMillis(1_300));
        initiator.stop();
    }

    @Test
    void aLeaderThatLostItsLeaseAndLeadsAgainGivesItUpWhenItStops() {
        Candidate candidate = new Candidate(() -> Duration.ZERO);
        LockRegistryLeaderInitiator initiator = initiator(candidate);
        initiator.start();
        await().until(() -> candidate.leads);
        table.clear("si:leader");
        await().until(() -> candidate.revoked.get() == 1 && candidate.leads);
        initiator.stop();
        await().until(() -> table.remaining("si:leader").isZero());
    }

    private LockRegistryLeaderInitiator initiator(Candidate candidate) {
        LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(one, candidate);
        initiator.setHeartBeatMillis(50);
        initiator.setBusyWaitMillis(20);
        return initiator;
    }

    private static final class Candidate extends DefaultCandidate {

        private final Supplier<Duration> left;
        private volatile boolean leads;
        private final AtomicInteger revoked = new AtomicInteger();
        private volatile Duration leftWhenRevoked = Duration.ZERO;

        Candidate(Supplier<Duration> left) {
            super("first", "leader");
            this.left = left;
        }

        @Override
        public void onGranted(Context context) {
            leads = true;
        }

        @Override
        public void onRevoked(Context context) {
            leftWhenRevoked = left.get();
            revoked.incrementAndGet();
            leads = false;
        }
    }
}
