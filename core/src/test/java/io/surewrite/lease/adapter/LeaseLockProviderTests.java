package io.surewrite.lease.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.surewrite.lease.InMemoryLeases;
import io.surewrite.test.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What ShedLock expects of a lock provider: two of them on one table. */
@Execution(ExecutionMode.CONCURRENT) // They wait most of their time.
@Timeout(60)
class LeaseLockProviderTests {

    private static final Duration AT_MOST = Duration.ofSeconds(5);

    private final InMemoryLeases table = new InMemoryLeases();
    private final LockProvider one = new LeaseLockProvider(table.process(), "shedlock:");
    private final LockProvider other = new LeaseLockProvider(table.process(), "shedlock:");

    @AfterEach
    void close() {
        table.close();
    }

    @Test
    @Waits
    void locksForAtLeastSoLongThoughUnlocked() {
        long from = System.nanoTime();
        Duration atLeast = Duration.ofSeconds(2);
        one.lock(configuration(AT_MOST, atLeast)).orElseThrow().unlock();
        await().atMost(atLeast.plusSeconds(4))
                .until(() -> other.lock(configuration(AT_MOST, Duration.ZERO)).isPresent());
        // If the process did not open it, its row would last for four seconds.
        assertThat(Duration.ofNanos(System.nanoTime() - from)).isBetween(atLeast, atLeast.plusMillis(1_900));
    }

    @Test
    @Waits
    void extendsALockByItsTtlAtMost() throws Exception {
        Duration atMost = Duration.ofSeconds(30);
        SimpleLock lock = one.lock(configuration(atMost, Duration.ZERO)).orElseThrow();
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> lock.extend(atMost.plusSeconds(1), Duration.ZERO))
                .withMessageContaining(
                        "Lock 'task' cannot be extended by PT31S: a lease keeps its ttl, PT32S, and its lockAtLeastFor, PT0S. Fix: ");
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> lock.extend(atMost, Duration.ofSeconds(1)));
        Duration left = atMost.minusSeconds(1);
        await().until(() -> table.remaining("shedlock:task").compareTo(left) < 0);
        SimpleLock extended = lock.extend(atMost, Duration.ZERO).orElseThrow();
        assertThat(table.remaining("shedlock:task")).isGreaterThan(left);
        extended.unlock();
        assertThat(other.lock(configuration(AT_MOST, Duration.ZERO))).isPresent();
    }

    @Test
    void locksForAYearAtMost() {
        SimpleLock lock = one.lock(configuration(Duration.ofDays(10_000), Duration.ofDays(10_000)))
                .orElseThrow();
        assertThat(table.remaining("shedlock:task")).isBetween(Duration.ofDays(364), Duration.ofDays(366));
        lock.unlock();
        assertThat(table.remaining("shedlock:task")).isBetween(Duration.ofDays(364), Duration.ofDays(366));
    }

    @Test
    void doesNotExtendWhatWasLost() {
        SimpleLock lock = one.lock(configuration(AT_MOST, Duration.ZERO)).orElseThrow();
        table.clear("shedlock:task");
        assertThat(lock.extend(AT_MOST, Duration.ZERO)).isEmpty();
    }

    /** ShedLock's fuzz test: a counter that nobody may see halfway. */
    @Test
    void excludesEverybodyElse() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(6);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        List<Future<?>> results = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            LockProvider provider = i % 2 == 0 ? one : other;
            results.add(threads.submit(() -> {
                for (int round = 0; round < 30; ) {
                    Optional<SimpleLock> lock = provider.lock(configuration(AT_MOST, Duration.ZERO));
                    if (lock.isPresent()) {
                        assertThat(inside.incrementAndGet()).isEqualTo(1);
                        done.incrementAndGet();
                        round++;
                        assertThat(inside.decrementAndGet()).isZero();
                        lock.get().unlock();
                    }
                    Thread.onSpinWait();
                }
            }));
        }
        for (Future<?> result : results) {
            result.get(40, TimeUnit.SECONDS);
        }
        threads.shutdown();
        assertThat(done).hasValue(180);
    }

    private static LockConfiguration configuration(Duration atMost, Duration atLeast) {
        return new LockConfiguration(ClockProvider.now(), "task", atMost, atLeast);
    }
}
