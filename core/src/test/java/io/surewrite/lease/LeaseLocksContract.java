package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.micrometer.observation.ObservationRegistry;
import io.surewrite.lease.Lease.LossReason;
import io.surewrite.lease.Lease.ReleaseOutcome;
import io.surewrite.lease.LeaseLocks.CloseableLeaseLocks;
import io.surewrite.lease.LeaseLocks.LeaseInfo;
import io.surewrite.lease.LeaseLocks.Leases;
import io.surewrite.lease.LeaseLocks.OnLoss;
import io.surewrite.test.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What leases promise, whatever the table: two processes in one JVM. */
@Execution(ExecutionMode.CONCURRENT) // They wait most of their time.
@Timeout(60)
abstract class LeaseLocksContract {

    /** For what is to happen at all, however busy the machine is. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Of leases that are not to run out, however busy the machine is. */
    static final Duration TTL = Duration.ofMinutes(1);

    /** Of leases that are to run out. */
    static final Duration SHORT_TTL = Duration.ofSeconds(3);

    /** Of leases that are to be renewed within a test. */
    private static final Duration RENEWED_SOON = Duration.ofSeconds(9);

    final String name = "item:" + UUID.randomUUID();
    final Recorder recorder = new Recorder();
    final List<CloseableLeaseLocks> processes = new ArrayList<>();

    private long askedAt;
    private LeaseLocks one;
    private LeaseLocks other;

    /** Leases of one more process. */
    abstract CloseableLeaseLocks newProcess(LeaseSettings settings, LeaseEvents events);

    /** Takes whoever holds the name out of the table. */
    abstract void clearTable(String lease);

    @BeforeEach
    void startTwoProcesses() {
        one = process(settings("one"));
        other = process(settings("other"));
    }

    @AfterEach
    void stopProcesses() {
        processes.forEach(CloseableLeaseLocks::close);
    }

    LeaseLocks process(LeaseSettings settings) {
        CloseableLeaseLocks locks = newProcess(settings, recorder);
        processes.add(locks);
        return locks;
    }

    static LeaseSettings settings(String holder) {
        return new LeaseSettings(holder, TTL, Duration.ofMillis(300), null, PATIENCE);
    }

    @Test
    void givesAFreeNameToOneHolderAtATime() {
        Lease lease = one.tryAcquire(name).orElseThrow();

        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.name()).isEqualTo(name);
        assertThat(lease.remaining()).isPositive().isLessThan(TTL.minusSeconds(1));
        assertThat(other.tryAcquire(name)).isEmpty();
        assertThat(one.tryAcquire(name)).isEmpty();
        assertThat(one.held()).containsExactly(lease);

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThat(one.held()).isEmpty();
        assertThat(other.tryAcquire(name)).isPresent();
    }

    @Test
    void countsUpTheFencingTokensOverAllProcesses() {
        long last = 0;
        for (int i = 0; i < 6; i++) {
            try (Lease lease = (i % 3 == 0 ? other : one).tryAcquire(name).orElseThrow()) {
                assertThat(lease.token()).isGreaterThan(last);
                long fence = lease.nextFence();
                assertThat(lease.nextFence()).isGreaterThan(fence);
                last = lease.token();
            }
        }
    }

    @Test
    void waitsAsLongAsANumberCanSay() throws Exception {
        Duration longest = Duration.ofMillis(Long.MAX_VALUE);
        Lease lease = one.tryAcquire(LeaseRequest.of(name), longest).orElseThrow();
        CompletableFuture<Optional<Lease>> waiting =
                other.tryAcquireAsync(LeaseRequest.of(name), longest).toCompletableFuture();
        lease.release();
        Lease next = waiting.get(40, TimeUnit.SECONDS).orElseThrow();
        next.release();
        assertThat(one.tryAcquireAll(List.of(name), longest)).isPresent();
    }

    @Test
    void stopsWaitingWhenTimeIsUp() {
        Lease lease = one.tryAcquire(LeaseRequest.of(name).withTtl(Duration.ofMinutes(1)))
                .orElseThrow();

        assertThatExceptionOfType(LeaseNotAcquiredException.class)
                .isThrownBy(() -> other.acquire(name, Duration.ofMillis(150)))
                .withMessageContaining(name)
                .withMessageContaining("'one' holds it")
                .satisfies(failure -> assertThat(failure.leaseName()).isEqualTo(name))
                .satisfies(failure -> assertThat(failure.holder()).isEqualTo("one"));
        assertThatExceptionOfType(LeaseNotAcquiredException.class)
                .as("without waiting")
                .isThrownBy(() -> other.acquire(name, Duration.ZERO))
                .withMessageContaining("'one' holds it");
        assertThatExceptionOfType(LeaseNotAcquiredException.class)
                .isThrownBy(() -> one.acquire(name, Duration.ofMillis(150)));
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void stopsWaitingWhenInterruptedAndHoldsNothing() throws Exception {
        Lease lease = one.tryAcquire(name).orElseThrow();
        AtomicReference<Exception> thrown = new AtomicReference<>();
        Thread waiting = new Thread(() -> {
            try {
                one.acquire(name, PATIENCE).close();
            } catch (InterruptedException | RuntimeException failure) {
                thrown.set(failure);
            }
        });
        waiting.start();
        Thread.sleep(100);
        waiting.interrupt();
        waiting.join(PATIENCE.toMillis());

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        lease.release();
        assertThat(other.tryAcquire(name)).isPresent();
    }

    @Test
    void answersAsynchronousCallersOnAThreadOfTheirOwn() throws Exception {
        Lease lease = one.tryAcquireAsync(LeaseRequest.of(name))
                .toCompletableFuture()
                .get(40, TimeUnit.SECONDS)
                .orElseThrow();
        var thread = other.tryAcquireAsync(LeaseRequest.of(name), PATIENCE)
                .thenApply(acquired -> Thread.currentThread().getName());
        assertThat(lease.renewAsync().toCompletableFuture().get(40, TimeUnit.SECONDS))
                .isTrue();
        assertThat(lease.releaseAsync().toCompletableFuture().get(40, TimeUnit.SECONDS))
                .isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(thread.toCompletableFuture().get(40, TimeUnit.SECONDS)).startsWith("surewrite-lease-callback");
    }

    @Test
    @Waits
    void opensTheNameOfADeadHolderInTime() throws Exception {
        Lease abandoned = acquireForAWhile();

        Lease next = other.acquire(name, PATIENCE);
        Duration blocked = since(askedAt);
        assertThat(abandoned.isHeld()).isFalse();
        assertThat(next.token()).isGreaterThan(abandoned.token());
        Duration busy = Duration.ofSeconds(5); // This machine, for so long at most.
        assertThat(blocked).isLessThan(SHORT_TTL.plusSeconds(1).plus(busy));
    }

    /**
     * Each process has four threads that always want the name. Neither gets less than a third of the holds: a machine that is
     * busy with other things may keep one of them from running for a second, but not for each of twenty.
     */
    @Test
    @Waits
    void letsBothProcessesHaveTheirTurns() throws Exception {
        AtomicIntegerArray holds = new AtomicIntegerArray(2);
        AtomicBoolean over = new AtomicBoolean();
        List<Future<?>> done = new ArrayList<>();
        ExecutorService pool = Executors.newFixedThreadPool(8);
        try {
            for (int i = 0; i < 8; i++) {
                int process = i % 2;
                LeaseLocks locks = process == 0 ? one : other;
                done.add(pool.submit(() -> {
                    while (!over.get()) {
                        try (Lease lease = locks.acquire(name, PATIENCE)) {
                            assertThat(lease.isHeld()).isTrue();
                            holds.incrementAndGet(process);
                        }
                    }
                    return null;
                }));
            }
            // From now on each has seen the other, however late it came.
            await().atMost(PATIENCE).until(() -> holds.get(0) > 0 && holds.get(1) > 0);
            int[] before = {holds.get(0), holds.get(1)};
            await().pollDelay(Duration.ofSeconds(1))
                    .pollInterval(Duration.ofSeconds(1))
                    .atMost(PATIENCE)
                    .untilAsserted(() -> {
                        int mine = holds.get(0) - before[0];
                        int theirs = holds.get(1) - before[1];
                        before[0] += mine;
                        before[1] += theirs;
                        assertThat(mine + theirs).isPositive();
                        assertThat(Math.min(mine, theirs))
                                .as("of %d and %d holds", mine, theirs)
                                .isGreaterThanOrEqualTo((mine + theirs) / 3);
                    });
            over.set(true);
            for (Future<?> future : done) {
                future.get(40, TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void holdsANameForAtLeastSoLong() throws Exception {
        LeaseRequest closed = LeaseRequest.of("closed:" + name).withHoldAtLeast(TTL);
        one.callUnder(closed, Duration.ZERO, OnLoss.INTERRUPT, lease -> "done in no time");
        assertThat(one.tryAcquire(closed)).isEmpty();
        assertThat(other.tryAcquire(closed)).isEmpty();
        assertThat(other.tryAcquire("closed:" + name)).isEmpty();

        long from = System.nanoTime();
        one.tryAcquire(LeaseRequest.of(name).withHoldAtLeast(Duration.ofMillis(1200)))
                .orElseThrow()
                .release();
        other.acquire(name, PATIENCE);
        assertThat(since(from)).isBetween(Duration.ofMillis(1200), PATIENCE);
    }

    @Test
    void acquiresAllNamesOrNone() throws Exception {
        List<String> names = List.of(name + "c", name + "a", name + "b", name + "a");
        Leases all = one.tryAcquireAll(names, PATIENCE).orElseThrow();
        assertThat(all.all()).extracting(Lease::name).containsExactly(name + "a", name + "b", name + "c");
        assertThat(all.isHeld()).isTrue();
        assertThat(all.get(name + "b").isHeld()).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> all.get("x"));
        assertThat(other.tryAcquireAll(List.of("free:" + name, name + "c"), Duration.ofMillis(100)))
                .isEmpty();
        assertThat(other.tryAcquire("free:" + name)).isPresent();

        all.close();
        assertThat(all.isHeld()).isFalse();
        assertThat(other.tryAcquireAll(names, PATIENCE)).isPresent();
        assertThatIllegalArgumentException().isThrownBy(() -> one.tryAcquireAll(List.of(), PATIENCE));
    }

    @Test
    void worksUnderALease() throws Exception {
        String answer = one.callUnder(LeaseRequest.of(name), PATIENCE, OnLoss.INTERRUPT, lease -> {
            assertThat(LeaseAssert.assertHeld()).isSameAs(lease);
            assertThat(LeaseAssert.assertHeld(name)).isSameAs(lease);
            assertThatIllegalStateException()
                    .isThrownBy(() -> one.acquire(name, PATIENCE))
                    .withMessageContaining("this thread holds it itself; a lease is not reentrant. Fix: ");
            return "done";
        });
        assertThat(answer).isEqualTo("done");
        assertThat(other.tryAcquire(name)).isPresent();
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(LeaseAssert::assertHeld);
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> LeaseAssert.assertHeld(name));
    }

    @Test
    void interruptsWorkWhoseLeaseIsLost() {
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> one.callUnder(
                        LeaseRequest.of(name).withTtl(RENEWED_SOON), PATIENCE, OnLoss.INTERRUPT, lease -> {
                            clearTable(name); // which its next renewal sees
                            Thread.sleep(PATIENCE.toMillis());
                            return "never";
                        }))
                .withCauseInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void showsWhoHoldsAName() {
        assertThat(one.inspect(name)).isEmpty();
        Lease lease = one.tryAcquire(name).orElseThrow();

        LeaseInfo info = other.inspect(name).orElseThrow();
        assertThat(info.isHeld()).isTrue();
        assertThat(info.holder()).isEqualTo("one");
        assertThat(info.epoch()).isGreaterThanOrEqualTo(lease.token());
        assertThat(info.remaining()).isPositive().isLessThanOrEqualTo(TTL);

        lease.release();
        Optional<LeaseInfo> after = other.inspect(name);
        assertThat(after).hasValueSatisfying(free -> assertThat(free.isHeld()).isFalse());
    }

    @Test
    void releasesEverythingAtTheEnd() {
        CloseableLeaseLocks ending = newProcess(settings("ending"), recorder);
        Lease lease = ending.tryAcquire(LeaseRequest.of(name).withTtl(Duration.ofMinutes(1)))
                .orElseThrow();
        AtomicBoolean working = new AtomicBoolean();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> {
            await().untilTrue(working);
            ending.close();
        });
        assertThatExceptionOfType(LeaseLostException.class)
                .as("work that still runs hears of it")
                .isThrownBy(() -> ending.callUnder(
                        LeaseRequest.of(name + ":work").withTtl(Duration.ofMinutes(1)),
                        Duration.ZERO,
                        OnLoss.INTERRUPT,
                        held -> {
                            working.set(true);
                            Thread.sleep(20_000);
                            return null;
                        }))
                .withMessageContaining("was lost before the work was done");
        closing.join();
        assertThat(recorder.lost).containsExactly(LossReason.CLOSED, LossReason.CLOSED);
        assertThat(lease.isHeld()).isFalse();
        assertThat(other.tryAcquire(name)).isPresent();
        assertThatIllegalStateException().isThrownBy(() -> ending.tryAcquire(name));
    }

    /** A lease that nothing renews; a busy machine may need several attempts to get one before it is over. */
    private Lease acquireForAWhile() {
        LeaseRequest request = LeaseRequest.of(name).withTtl(SHORT_TTL).withoutRenewal();
        return await().atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(LeaseUnavailableException.class)
                .until(
                        () -> {
                            askedAt = System.nanoTime();
                            return one.tryAcquire(request);
                        },
                        Optional::isPresent)
                .orElseThrow();
    }

    private static Duration since(long nanoTime) {
        return Duration.ofNanos(System.nanoTime() - nanoTime);
    }

    /** Remembers what it is told. */
    static final class Recorder extends LeaseEvents {

        final List<LossReason> lost = new CopyOnWriteArrayList<>();

        Recorder() {
            super(ObservationRegistry.NOOP);
        }

        @Override
        void lost(HeldLease lease, LossReason reason, Duration held) {
            super.lost(lease, reason, held);
            lost.add(reason);
        }
    }
}
