package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.lease.LeaseLocks.CloseableLeaseLocks;
import io.surewrite.lease.LeaseLocks.LeaseWork;
import io.surewrite.lease.LeaseLocks.OnLoss;
import io.surewrite.lease.adapter.LeaseLock;
import io.surewrite.retry.Circuit;
import io.surewrite.retry.RetrySettings;
import io.surewrite.retry.ScopedRetryTemplate;
import io.surewrite.retry.ScopedRetryTemplate.RetrySupport;
import io.surewrite.write.Backoff;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteScope;
import io.surewrite.write.WriteTimestamps;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Sure writes under leases, as an application makes them: blocking, asynchronous and reactive. */
@Timeout(60)
class WritesUnderLeasesTests {

    private static final String NAME = "item:1";
    private static final LeaseRequest ITEM = LeaseRequest.of(NAME);
    private static final Duration WAIT = Duration.ofSeconds(30);

    private final InMemoryLeases table = new InMemoryLeases();

    @AfterEach
    void close() {
        table.close();
    }

    /** A process whose clock is so far ahead of the true time. */
    private final class Instance {

        final WriteTimestamps timestamps;
        final CloseableLeaseLocks locks;
        final ScopedRetryTemplate template;
        final ReactiveLeases reactive;

        Instance(Duration ahead) {
            timestamps = new WriteTimestamps(Clock.offset(Clock.systemUTC(), ahead));
            locks = table.process(timestamps);
            reactive = new ReactiveLeases(locks);
            template = ScopedRetryTemplate.forIdempotentWrites(
                    new RetrySettings(
                            4, Duration.ofSeconds(30), new Backoff(Duration.ofMillis(1), Duration.ofMillis(2), 2)),
                    new RetrySupport(
                            timestamps, Circuit.NONE, ObservationRegistry.NOOP, new Random(1), System::nanoTime, null));
        }
    }

    /** How an application makes a write under a lease. */
    private enum Kind {
        BLOCKING {
            @Override
            void run(Instance process, LeaseWork<?, RuntimeException> write) {
                try (Lease lease = acquired(process.locks)) {
                    process.template.execute("write", () -> write.run(lease));
                }
            }
        },
        CALL_UNDER {
            @Override
            void run(Instance process, LeaseWork<?, RuntimeException> write) {
                try {
                    process.locks.callUnder(
                            ITEM,
                            WAIT,
                            OnLoss.INTERRUPT,
                            lease -> process.template.execute("write", () -> write.run(lease)));
                } catch (InterruptedException interrupted) {
                    throw new IllegalStateException(interrupted);
                }
            }
        },
        ASYNCHRONOUS {
            @Override
            void run(Instance process, LeaseWork<?, RuntimeException> write) {
                joined(process.locks.callUnderAsync(
                        ITEM,
                        WAIT,
                        lease -> process.template.executeAsync(
                                "write", () -> CompletableFuture.completedFuture(write.run(lease)))));
            }
        },
        REACTIVE {
            @Override
            void run(Instance process, LeaseWork<?, RuntimeException> write) {
                process.reactive
                        .mono(
                                ITEM,
                                WAIT,
                                lease -> process.template
                                        .reactive()
                                        .mono("write", Mono.<Object>fromSupplier(() -> write.run(lease))))
                        .block();
            }
        },
        BLOCKING_INSIDE_REACTIVE {
            @Override
            void run(Instance process, LeaseWork<?, RuntimeException> write) {
                process.reactive
                        .mono(
                                ITEM,
                                WAIT,
                                lease -> Mono.<Object>fromCallable(() -> lease.call(
                                                () -> process.template.execute("write", () -> write.run(lease))))
                                        .subscribeOn(Schedulers.boundedElastic()))
                        .block();
            }
        };

        abstract void run(Instance process, LeaseWork<?, RuntimeException> write);

        private static <T> T joined(CompletionStage<T> stage) {
            try {
                return stage.toCompletableFuture().join();
            } catch (CompletionException failure) {
                if (failure.getCause() instanceof RuntimeException thrown) {
                    throw thrown;
                }
                throw failure;
            }
        }
    }

    private static Lease acquired(LeaseLocks locks) {
        try {
            return locks.acquire(ITEM, WAIT);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    // ---- a write under a lease is newer than every write under an earlier hold ----

    @ParameterizedTest
    @EnumSource(Kind.class)
    void writesAboveAnEarlierHolderWhoseClockIsAhead(Kind kind) {
        Instance ahead = new Instance(Duration.ofMillis(3_300));
        Instance behind = new Instance(Duration.ZERO);
        List<Long> drawn = new ArrayList<>();
        for (Instance process : List.of(ahead, behind, ahead, behind)) {
            kind.run(process, lease -> drawn.add(timestampOf(process)));
        }
        assertThat(drawn).hasSize(4).isSorted().doesNotHaveDuplicates();
    }

    /** Of a reactive write, which has no scope on the thread, it is the highest of the process. */
    private static long timestampOf(Instance process) {
        WriteScope scope = WriteScope.current();
        return scope == null ? process.timestamps.highest() : scope.timestamp();
    }

    /** A hold that ends by itself leaves what it had reserved. */
    @Test
    void writesAboveAHolderThatDiedThoughItsClockWasAhead() throws InterruptedException {
        Instance ahead = new Instance(Duration.ofSeconds(5));
        Instance behind = new Instance(Duration.ZERO);
        Lease lease = ahead.locks.acquire(ITEM.withTtl(Duration.ofSeconds(4)).withoutRenewal(), WAIT);
        long last = 0;
        try {
            while (lease.isHeld()) {
                last = Objects.requireNonNull(ahead.template.execute("write", WriteScope::current))
                        .timestamp();
            }
        } catch (UnknownOutcomeException | LeaseLostException atTheEnd) {
            assertThat(last).isPositive();
        }
        lease.release();

        try (Lease next = behind.locks.acquire(ITEM, WAIT)) {
            assertThat(next.token()).isGreaterThan(lease.token());
            assertThat(Objects.requireNonNull(behind.template.execute("write", WriteScope::current))
                            .timestamp())
                    .isGreaterThan(last);
        }
    }

    @Test
    void refusesToWriteBelowAHolderWhoseClockIsTooFarAhead() throws InterruptedException {
        Instance wrong = new Instance(Duration.ofMinutes(10));
        Instance right = new Instance(Duration.ZERO);
        try (Lease lease = wrong.locks.acquire(ITEM, WAIT)) {
            wrong.template.execute("write", lease::isHeld);
        }
        try (Lease lease = right.locks.acquire(ITEM, WAIT)) {
            assertThat(lease.isHeld()).isTrue();
            AtomicInteger sent = new AtomicInteger();
            assertThat(catchThrowable(() -> right.template.execute("write", sent::incrementAndGet)))
                    .hasMessageContaining("Write under lease 'item:1': refused, and nothing was sent")
                    .hasMessageContaining("clock");
            assertThat(sent).hasValue(0);
        }
        assertThat(right.template.execute("without the lease", () -> "done")).isEqualTo("done");
    }

    // ---- a lease inside a write ----

    @Test
    void refusesALeaseInsideAWrite() {
        Instance process = new Instance(Duration.ZERO);
        for (Supplier<?> asks : List.<Supplier<?>>of(
                () -> process.locks.tryAcquire(ITEM),
                () -> acquired(process.locks),
                () -> process.locks.tryAcquireAsync(ITEM),
                () -> new LeaseLock(process.locks, ITEM).tryLock())) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> process.template.execute("write", asks))
                    .withMessageContaining("Lease 'item:1' is asked for inside a sure write")
                    .withMessageContaining("acquire the lease first");
        }
        assertThatIllegalStateException()
                .isThrownBy(() ->
                        Kind.joined(process.template.executeAsync("write", () -> process.locks.tryAcquireAsync(ITEM))));
        assertThatIllegalStateException()
                .isThrownBy(() -> process.template
                        .reactive()
                        .mono("write", process.reactive.mono(ITEM, WAIT, lease -> Mono.just("never")))
                        .block());
        assertThat(process.locks.tryAcquire(ITEM)).isPresent();
    }

    @Test
    void refusesToUseALeaseInsideAWriteThatBeganWithoutIt() {
        Instance process = new Instance(Duration.ZERO);
        assertThatIllegalStateException()
                .isThrownBy(() -> process.template.execute("write", () -> {
                    Lease elsewhere = CompletableFuture.supplyAsync(() -> process.locks.tryAcquireAsync(ITEM, WAIT))
                            .thenCompose(asked -> asked)
                            .join()
                            .orElseThrow();
                    return elsewhere.call(() -> "not under it");
                }))
                .withMessageContaining("Lease 'item:1' is used inside a sure write that began without it");
    }

    // ---- a lease that is lost ----

    @ParameterizedTest
    @EnumSource(Kind.class)
    void reportsNoSuccessOfWhatWasAcknowledgedAfterTheLoss(Kind kind) {
        Instance process = new Instance(Duration.ZERO);
        AtomicInteger attempts = new AtomicInteger();
        Throwable failure = catchThrowable(() -> kind.run(process, lease -> {
            attempts.incrementAndGet();
            lose(lease);
            return "acknowledged";
        }));
        assertThat(failure).isInstanceOf(UnknownOutcomeException.class).hasCauseInstanceOf(LeaseLostException.class);
        assertThat(attempts).hasValue(1);
    }

    /** Its caller wants no more than one answer, and so would not hear of the end. */
    @Test
    void passesOnNoAnswerThatCameAfterTheLoss() {
        Instance process = new Instance(Duration.ZERO);
        Throwable failure = catchThrowable(() -> process.reactive
                .flux(
                        ITEM,
                        WAIT,
                        lease -> process.template
                                .reactive()
                                .flux("write", Flux.just("acknowledged").doOnNext(answer -> lose(lease))))
                .blockFirst(WAIT));
        assertThat(failure).isInstanceOf(UnknownOutcomeException.class).hasCauseInstanceOf(LeaseLostException.class);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void beginsNoAttemptAfterTheLoss(Kind kind) {
        Instance process = new Instance(Duration.ZERO);
        AtomicInteger attempts = new AtomicInteger();
        Throwable failure = catchThrowable(() -> kind.run(process, lease -> {
            attempts.incrementAndGet();
            lose(lease);
            throw new DriverTimeoutException("no answer");
        }));
        assertThat(failure).isInstanceOf(UnknownOutcomeException.class).hasCauseInstanceOf(LeaseLostException.class);
        assertThat(attempts).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = "CALL_UNDER", mode = EnumSource.Mode.EXCLUDE)
    void throwsTheLossItselfIfNothingWasDone(Kind kind) {
        Instance process = new Instance(Duration.ZERO);
        AtomicInteger attempts = new AtomicInteger();
        Throwable failure = catchThrowable(() -> kind.run(process, lease -> {
            attempts.incrementAndGet();
            lose(lease);
            throw new NoNodeAvailableException();
        }));
        assertThat(failure).isInstanceOf(LeaseLostException.class);
        assertThat(attempts).hasValue(1);
    }

    @Test
    void letsAReadEndUnderALostLease() throws InterruptedException {
        Instance process = new Instance(Duration.ZERO);
        try (Lease lease = process.locks.acquire(ITEM, WAIT)) {
            lose(lease);
            assertThat(process.template.forReads().execute("read", () -> "read"))
                    .isEqualTo("read");
        }
    }

    /** The thread may be a pool's, and have nothing to do with the lease any more. */
    @Test
    void writesAgainOnAThreadThatHasGivenItsLeaseUpOrAskedForItAnew() throws InterruptedException {
        Instance process = new Instance(Duration.ZERO);
        Instance other = new Instance(Duration.ZERO);
        Supplier<String> write = () -> process.template.execute("write", () -> "done");

        Lease lost = process.locks.acquire(ITEM, WAIT);
        lose(lost);
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(write::get);
        lost.release();
        assertThat(write.get()).isEqualTo("done");

        Lease leader = process.locks.acquire(ITEM, WAIT);
        lose(leader);
        try (Lease rival = other.locks.acquire(ITEM, WAIT)) {
            assertThat(process.locks.tryAcquire(ITEM)).isEmpty();
            rival.release(); // which is on the same thread here
        }
        assertThat(leader.isHeld()).isFalse();
        assertThat(write.get()).isEqualTo("done");

        Lease elsewhere = process.locks.acquire(ITEM, WAIT);
        CompletableFuture.runAsync(elsewhere::release).join();
        assertThat(write.get()).isEqualTo("done");
    }

    /** The release has an answer after the shutdown, too: it must not fail work that is done. */
    @Test
    void signalsWhatReactiveWorkDidThatEndsAfterTheShutdown() {
        Instance process = new Instance(Duration.ZERO);
        assertThat(process.reactive
                        .mono(
                                ITEM,
                                WAIT,
                                lease -> Mono.fromRunnable(process.locks::close).thenReturn("done"))
                        .block(WAIT))
                .isEqualTo("done");
    }

    // ---- a write with a timestamp of its own ----

    @Test
    void refusesAWriteWhoseTimestampWasChosenBeforeTheLease() {
        Instance process = new Instance(Duration.ZERO);
        for (long secondsAgo : new long[] {5, 3_600, 0}) {
            long chosen = process.timestamps.tick() - secondsAgo * 1_000_000;
            AtomicInteger sent = new AtomicInteger();
            assertThatIllegalStateException()
                    .isThrownBy(() -> pinned(process, chosen, sent))
                    .withMessageContaining("Write under lease 'item:1': nothing was sent")
                    .withMessageContaining("was chosen before the lease was acquired");
            assertThat(sent).hasValue(0);
        }
    }

    @Test
    void refusesAWriteWhoseTimestampWouldHideWhatTheNextHolderWrites() {
        Instance process = new Instance(Duration.ZERO);
        for (long secondsAhead : new long[] {20, 11, 3_600}) {
            long chosen = process.timestamps.tick() + secondsAhead * 1_000_000;
            AtomicInteger sent = new AtomicInteger();
            assertThatIllegalStateException()
                    .isThrownBy(() -> pinned(process, chosen, sent))
                    .withMessageContaining("lies farther ahead than clocks may be apart");
            assertThat(sent).hasValue(0);
        }
    }

    /** An earlier hold of the same acquisition has written meanwhile. */
    @Test
    void refusesAfterAHandOverWhatWasChosenBeforeIt() throws InterruptedException {
        Instance process = new Instance(Duration.ZERO);
        Lease first = process.locks.acquire(ITEM, WAIT);
        CompletableFuture<Lease> second =
                process.locks.tryAcquireAsync(ITEM, WAIT).toCompletableFuture().thenApply(lease -> lease.orElseThrow());
        long chosen = process.timestamps.tick();
        process.template.execute("write", first::isHeld);
        first.release();
        Lease handedOver = second.join();
        assertThat(handedOver.token()).isEqualTo(first.token() + 1);
        assertThatIllegalStateException()
                .isThrownBy(() -> handedOver.call(
                        () -> WriteScope.at(chosen).call(() -> process.template.execute("write", () -> "hidden"))))
                .withMessageContaining("chosen before the lease was acquired");
        handedOver.release();
    }

    private static void pinned(Instance process, long timestamp, AtomicInteger sent) {
        try (Lease lease = acquired(process.locks)) {
            WriteScope.at(timestamp).call(() -> process.template.execute("write " + lease, sent::incrementAndGet));
        }
    }

    private void lose(Lease lease) {
        table.clear(NAME);
        lease.renew();
        Awaitility.await().atMost(WAIT).until(() -> !lease.isHeld());
        Thread.interrupted();
    }
}
