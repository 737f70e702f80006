package io.surewrite.lease.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.surewrite.lease.InMemoryLeases;
import io.surewrite.test.Waits;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
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
    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    @AfterEach
    void close() {
        thread.shutdownNow();
        table.close();
    }

    @Test
    void givesOneLockAKey() {
        assertThat(one.obtain("foo")).isSameAs(one.obtain("foo")).isNotSameAs(one.obtain("bar"));
    }

    @Test
    void locksAndUnlocksAgainAndAgain() {
        for (int i = 0; i < 10; i++) {
            Lock lock = one.obtain("foo");
            lock.lock();
            assertThat(elsewhere(() -> other.obtain("foo").tryLock())).isFalse();
            lock.unlock();
        }
        assertThat(other.obtain("foo").tryLock()).isTrue();
    }

    @Test
    void locksAgainInTheSameThread() throws Exception {
        Lock lock = one.obtain("foo");
        lock.lockInterruptibly();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
        lock.unlock();
        lock.unlock();
        assertThat(other.obtain("foo").tryLock()).isFalse();
        lock.unlock();
        assertThat(other.obtain("foo").tryLock()).isTrue();
    }

    @Test
    void excludesOtherThreadsOfTheProcess() {
        one.obtain("foo").lock();
        assertThat(elsewhere(() -> one.obtain("foo").tryLock(100, TimeUnit.MILLISECONDS)))
                .isFalse();
        one.obtain("foo").unlock();
        assertThat(elsewhere(() -> one.obtain("foo").tryLock())).isTrue();
    }

    @Test
    void knowsWhoseItIs() throws Exception {
        LeaseLock lock = (LeaseLock) one.obtain("foo");
        assertThat(lock).hasToString("LeaseLock[si:foo]");
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        lock.lock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(elsewhere(lock::isHeldByCurrentThread)).isFalse();
        table.clear("si:foo");
        one.obtain("foo").tryLock();
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> one.renewLock("foo"))
                .withMessageContaining("'foo'");
        assertThat(lock.isHeldByCurrentThread()).isFalse();
    }

    @Test
    void locksForATtlOfTheCallers() throws Exception {
        DistributedLock lock = one.obtain("foo");
        lock.lock(Duration.ofSeconds(20));
        assertThat(((LeaseLock) lock).lease().orElseThrow().remaining()).isLessThan(Duration.ofSeconds(20));
        one.renewLock("foo", Duration.ofMillis(39_001));
        assertThat(((LeaseLock) lock).lease().orElseThrow().remaining())
                .isBetween(Duration.ofSeconds(30), Duration.ofSeconds(40));
        assertThat(other.obtain("foo").tryLock(Duration.ofMillis(20), Duration.ofSeconds(20)))
                .isFalse();
        lock.unlock();
        assertThat(other.obtain("foo").tryLock(Duration.ofMillis(20), Duration.ofSeconds(20)))
                .isTrue();
    }

    @Test
    void keepsTwoKeysApart() {
        one.obtain("foo").lock();
        assertThat(other.obtain("bar").tryLock()).isTrue();
    }

    @Test
    void waitsForAnotherRegistry() throws Exception {
        one.obtain("foo").lock();
        Future<Boolean> waiting = thread.submit(() -> other.obtain("foo").tryLock(20, TimeUnit.SECONDS));
        Thread.sleep(100);
        assertThat(waiting.isDone()).isFalse();
        one.obtain("foo").unlock();
        assertThat(waiting.get(5, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void refusesToUnlockWhatTheThreadDoesNotOwn() {
        Lock lock = one.obtain("foo");
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
        lock.lock();
        elsewhere(() -> {
            assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
            return true;
        });
        lock.unlock();
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(lock::newCondition);
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
    void renewsOnlyWhatTheThreadHolds() throws Exception {
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(() -> one.renewLock("foo"));
        DistributedLock lock = one.obtain("foo");
        assertThat(lock.tryLock(Duration.ZERO, Duration.ofMillis(2500))).isTrue();
        one.renewLock("foo");
        one.renewLock("foo", Duration.ofSeconds(5));
        Thread.sleep(3_500);
        assertThat(elsewhere(() -> other.obtain("foo").tryLock())).isFalse();
        lock.unlock();
        lock.lock(Duration.ofSeconds(3));
        lock.unlock();
    }

    @Test
    void staysLockedWhileInterrupted() {
        Thread.currentThread().interrupt();
        Lock lock = one.obtain("foo");
        lock.lock();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(elsewhere(() -> other.obtain("foo").tryLock())).isFalse();
        lock.unlock();
    }

    @Test
    void runsTasksUnderALock() throws Exception {
        AtomicInteger ran = new AtomicInteger();
        one.executeLocked("foo", () -> {
            ran.incrementAndGet();
            assertThat(elsewhere(() -> other.obtain("foo").tryLock())).isFalse();
        });
        one.obtain("foo").lock();
        elsewhere(() -> {
            assertThatExceptionOfType(TimeoutException.class)
                    .isThrownBy(() -> other.executeLocked("foo", Duration.ofMillis(100), () -> {
                        ran.incrementAndGet();
                    }));
            return true;
        });
        assertThat(ran).hasValue(1);
    }

    @Test
    void electsALeaderAndAnotherWhenItGoes() {
        Candidate first = new Candidate("first");
        Candidate second = new Candidate("second");
        LockRegistryLeaderInitiator initiator = initiator(one, first);
        LockRegistryLeaderInitiator successor = initiator(other, second);
        initiator.start();
        await().until(() -> first.leads);
        successor.start();
        await().during(Duration.ofMillis(500)).until(() -> first.leads && !second.leads);

        initiator.stop();
        await().until(() -> second.leads && !first.leads);
        successor.stop();
    }

    private static LockRegistryLeaderInitiator initiator(LeaseLockRegistry registry, Candidate candidate) {
        LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(registry, candidate);
        initiator.setHeartBeatMillis(50);
        initiator.setBusyWaitMillis(20);
        return initiator;
    }

    /** In another thread, always the same. */
    private boolean elsewhere(Callable<Boolean> task) {
        try {
            return thread.submit(task).get(20, TimeUnit.SECONDS);
        } catch (ExecutionException | InterruptedException | TimeoutException failure) {
            throw new AssertionError(failure);
        }
    }

    private static final class Candidate extends DefaultCandidate {

        private volatile boolean leads;

        Candidate(String id) {
            super(id, "leader");
        }

        @Override
        public void onGranted(Context context) {
            leads = true;
        }

        @Override
        public void onRevoked(Context context) {
            leads = false;
        }
    }
}
