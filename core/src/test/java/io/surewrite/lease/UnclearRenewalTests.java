package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.lease.Lease.ReleaseOutcome;
import io.surewrite.test.Waits;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A renewal without a clear answer may have come into effect, or do so later: the table shows one of several lease ids. */
@Execution(ExecutionMode.CONCURRENT) // They wait most of their time.
class UnclearRenewalTests {

    private static final String NAME = "item:1";
    private static final LeaseRequest BY_HAND =
            LeaseRequest.of(NAME).withTtl(Duration.ofSeconds(30)).withoutRenewal();

    private final InMemoryLeases table = new InMemoryLeases();
    private final LeaseLocks locks = table.process();
    private final LeaseLocks others = table.process();
    private final Lease lease = locks.tryAcquire(BY_HAND).orElseThrow();

    @AfterEach
    void close() {
        table.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isFollowedByAClearOne(boolean applied) {
        table.loseAnswer(applied);
        table.loseAnswer(!applied);
        assertThat(lease.renew()).isFalse();
        assertThat(lease.renew()).isFalse();
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.renew()).isTrue();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(others.tryAcquire(NAME)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isFollowedByARelease(boolean applied) {
        table.loseAnswer(applied);
        assertThat(lease.renew()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(others.tryAcquire(NAME)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isFollowedByAClosedName(boolean applied) {
        table.loseAnswer(applied);
        assertThat(lease.renew()).isFalse();
        assertThat(lease.releaseAfter(Duration.ofSeconds(30))).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(others.tryAcquire(NAME)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void withAnotherTtlLastsAsLongAsTheShorterOne(boolean applied) {
        table.loseAnswer(applied);
        assertThat(lease.renewAsync(Duration.ofSeconds(10))
                        .toCompletableFuture()
                        .join())
                .isFalse();
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(9));
        table.loseAnswer(applied);
        assertThat(lease.renewAsync(Duration.ofSeconds(60))
                        .toCompletableFuture()
                        .join())
                .isFalse();
        assertThat(lease.remaining()).isLessThan(Duration.ofSeconds(9));
        assertThat(lease.renew()).isTrue();
        assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(20));
    }

    @Test
    @Waits
    void withAShorterTtlIsRepeatedBeforeThatIsOver() throws InterruptedException {
        LeaseRequest request = LeaseRequest.of("renewed").withTtl(Duration.ofSeconds(60));
        try (Lease renewed = locks.tryAcquire(request).orElseThrow()) {
            table.loseAnswer(false);
            assertThat(renewed.renewAsync(Duration.ofSeconds(4))
                            .toCompletableFuture()
                            .join())
                    .isFalse();
            Thread.sleep(4_000);
            assertThat(renewed.isHeld()).isTrue();
            assertThat(renewed.remaining()).isGreaterThan(Duration.ofSeconds(30));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void withAnotherTtlIsNotHandedOver(boolean applied) throws Exception {
        CompletableFuture<Optional<Lease>> waiting =
                locks.tryAcquireAsync(BY_HAND, Duration.ofSeconds(20)).toCompletableFuture();
        table.loseAnswer(applied);
        assertThat(lease.renewAsync(Duration.ofSeconds(5)).toCompletableFuture().join())
                .isFalse();
        lease.release();
        assertThat(waiting.get(20, TimeUnit.SECONDS).orElseThrow().remaining()).isGreaterThan(Duration.ofSeconds(20));
    }

    @Test
    void isForgottenAfterManyMoreWhichTheReleaseSays() {
        forget();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.UNKNOWN);
        assertThat(others.tryAcquire(NAME)).isEmpty();
    }

    @Test
    void isForgottenWhichTheReleaseSaysAlsoAfterTheLoss() {
        forget();
        assertThat(lease.renew()).isFalse();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.UNKNOWN);
    }

    @Test
    void isNoLongerMissedAfterAClearOne() {
        for (int i = 0; i < 40; i++) {
            table.loseAnswer(false);
            assertThat(lease.renew()).isFalse();
        }
        assertThat(lease.renew()).isTrue();
        table.clear(NAME);
        assertThat(lease.renew()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.NOT_HELD);
    }

    /** The table shows the first of more renewals than are remembered. */
    private void forget() {
        table.loseAnswer(true);
        for (int i = 0; i < 32; i++) {
            table.loseAnswer(false);
        }
        for (int i = 0; i < 33; i++) {
            assertThat(lease.renew()).isFalse();
        }
    }
}
