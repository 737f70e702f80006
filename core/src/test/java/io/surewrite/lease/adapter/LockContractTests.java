package io.surewrite.lease.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.surewrite.lease.InMemoryLeases;
import io.surewrite.lease.LeaseLocks.CloseableLeaseLocks;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.lease.LeaseUnavailableException;
import java.util.ConcurrentModificationException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What {@link java.util.concurrent.locks.Lock} asks of a reentrant lock, as the JDK's own {@code ReentrantLock} does it.
 * Different by decision: there are no conditions, no fairness to choose and no count of holds to ask for; and a lock can
 * be lost, which is said by {@code unlock()} and by {@code tryLock()}.
 */
@Timeout(60)
class LockContractTests {

    private final InMemoryLeases table = new InMemoryLeases();
    private final CloseableLeaseLocks locks = table.process();
    private final LeaseLock lock = new LeaseLock(locks, LeaseRequest.of("foo"));
    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    @AfterEach
    void close() {
        Thread.interrupted();
        thread.shutdownNow();
        table.close();
    }

    @Test
    void anInterruptBeforeTheCallIsThrownByAnOwnerToo() throws Exception {
        lock.lock();
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(lock::lockInterruptibly);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> lock.tryLock(0, TimeUnit.SECONDS));
        lock.unlock();
        assertThat(elsewhere(lock::tryLock)).as("locked once only").isTrue();
    }

    @Test
    void lockAndTryLockKeepAnInterrupt() throws Exception {
        Thread.currentThread().interrupt();
        lock.lock();
        assertThat(lock.tryLock()).isTrue();
        assertThat(Thread.interrupted()).isTrue();
        lock.unlock();
        lock.unlock();
        table.fallSilent();
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(lock::tryLock);
        assertThat(Thread.interrupted()).as("though it failed").isTrue();
    }

    @Test
    void lockWaitsThroughAnInterrupt() throws Exception {
        lock.lock();
        AtomicInteger flag = new AtomicInteger();
        Thread waiter = new Thread(() -> {
            lock.lock();
            flag.set(lock.isHeldByCurrentThread() && Thread.currentThread().isInterrupted() ? 1 : -1);
            lock.unlock();
        });
        waiter.start();
        await().until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
        waiter.interrupt();
        assertThat(flag).hasValue(0);
        lock.unlock();
        waiter.join();
        assertThat(flag).as("interrupted, and locked").hasValue(1);
    }

    @Test
    void anOuterUnlockSaysThatTheLockWasLostInBetween() {
        lock.lock();
        loseIt();
        lock.lock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        assertThatExceptionOfType(ConcurrentModificationException.class)
                .isThrownBy(lock::unlock)
                .withMessageContaining("'foo' was lost before it was unlocked");
        assertThat(elsewhere(lock::tryLock))
                .as("the second one is free as well")
                .isTrue();
    }

    @Test
    void anOwnerThatLostItHearsFalseOnce() throws Exception {
        lock.lock();
        loseIt();
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isFalse();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.tryLock()).as("from now on it is any thread").isTrue();
        lock.unlock();
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
    }

    /** Its owner notices with the next renewal. */
    private void loseIt() {
        var lease = lock.lease().orElseThrow();
        table.clear("foo");
        assertThat(lease.renew()).isFalse();
        assertThat(lease.isHeld()).isFalse();
    }

    private boolean elsewhere(Callable<Boolean> task) {
        try {
            return thread.submit(task).get(20, TimeUnit.SECONDS);
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }
}
