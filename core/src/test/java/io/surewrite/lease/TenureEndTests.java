package io.surewrite.lease;

import static io.surewrite.lease.ScriptedLeases.USABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.surewrite.lease.Lease.ReleaseOutcome;
import io.surewrite.lease.ScriptedLeases.Sent;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How a lease is released, handed over and closed, answer by answer. */
class TenureEndTests {

    private static final LeaseRequest REQUEST = LeaseRequest.of("item:1");
    private static final LeaseRequest BY_HAND = REQUEST.withoutRenewal();
    private static final Duration LONG = Duration.ofMinutes(10);

    /** A third of the ttl, and up to a tenth less. */
    private static final Duration RENEWAL = Duration.ofMillis(9_750);

    private final ScriptedLeases leases = new ScriptedLeases();

    private static CompletableFuture<ReleaseOutcome> release(Lease lease) {
        return lease.releaseAsync().toCompletableFuture();
    }

    @Test
    void isReleasedByAnEarlierRunOfTheSameStatement() {
        CompletableFuture<ReleaseOutcome> outcome = release(leases.acquired(BY_HAND));
        leases.next("release").refused(3, null);
        assertThat(outcome.join()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void isNotHeldWhereTheReleaseComesTooLate() {
        CompletableFuture<ReleaseOutcome> outcome = release(leases.acquired(BY_HAND));
        leases.time.advance(USABLE);
        leases.next("release").refused(3, UUID.randomUUID());
        assertThat(outcome.join()).isEqualTo(ReleaseOutcome.NOT_HELD);
    }

    @Test
    void isNotHeldAfterALossThoughTheReleaseIsUnclear() {
        Lease lease = leases.acquired(BY_HAND);
        leases.time.advance(USABLE);
        CompletableFuture<ReleaseOutcome> outcome = release(lease);
        leases.next("release").unclear();
        assertThat(outcome.join()).isEqualTo(ReleaseOutcome.NOT_HELD);
    }

    @Test
    void isFreedLaterWhereTheReleaseWasUnclear() {
        CompletableFuture<Optional<Lease>> asked = leases.ask(BY_HAND);
        Sent acquire = leases.next("acquire");
        acquire.done();
        CompletableFuture<ReleaseOutcome> outcome = release(asked.join().orElseThrow());
        leases.next("release").unclear();
        assertThat(outcome.join()).isEqualTo(ReleaseOutcome.UNKNOWN);
        leases.somebodyAsks(REQUEST);
        leases.next("acquire").refused(3, acquire.id());
        assertThat(leases.next("release").heldIds).containsExactly(acquire.id());
    }

    @Test
    void isFreedAtOnceWhereARenewalRevivesItsRow() {
        Lease lease = leases.acquired(REQUEST);
        Sent renewal = leases.nextAfter(RENEWAL, "renew");
        leases.time.advance(USABLE);
        assertThat(leases.events).endsWith("lost EXPIRED after PT28.5S");
        renewal.done();
        assertThat(lease.isHeld()).isFalse();
        assertThat(leases.next("release").heldIds).containsExactly(renewal.id());
    }

    @Test
    void waitsWithTheReleaseForARenewalUnderWay() {
        Lease lease = leases.acquired(REQUEST);
        Sent renewal = leases.nextAfter(RENEWAL, "renew");
        CompletableFuture<ReleaseOutcome> outcome = release(lease);
        leases.nothingSent();
        renewal.done();
        Sent release = leases.next("release");
        assertThat(release.heldIds).containsExactly(renewal.id());
        release.done();
        assertThat(outcome.join()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void isHandedOverAFewTimes() {
        Lease first = leases.acquired(REQUEST);
        CompletableFuture<Optional<Lease>> second = leases.ask(REQUEST, LONG);
        CompletableFuture<Optional<Lease>> third = leases.ask(REQUEST, LONG);
        CompletableFuture<Optional<Lease>> fourth = leases.ask(REQUEST, LONG);
        leases.time.advance(Duration.ofMillis(100));
        assertThat(release(first).join()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(leases.events).endsWith("released RELEASED after PT0.1S", "acquired after PT0.1S, handed over");
        assertThat(second.join().orElseThrow().token()).isEqualTo(2);
        assertThat(first.isHeld()).isFalse();
        leases.time.advance(Duration.ofMillis(100));
        second.join().orElseThrow().releaseAsync();
        assertThat(leases.events).contains("released RELEASED after PT0.1S");
        Lease last = third.join().orElseThrow();
        assertThat(last.token()).isEqualTo(3);
        assertThat(last.remaining()).isEqualTo(USABLE.minusMillis(200));
        leases.nothingSent();
        last.releaseAsync();
        assertThat(fourth).isNotCompleted();
        leases.next("release").done();
        leases.time.advance(Duration.ofSeconds(2));
        assertThat(leases.next("acquire").claim().expectedEpoch()).isEqualTo(3);
    }

    @Test
    void isNotHandedOverForLong() {
        Lease lease = leases.acquired(REQUEST);
        leases.somebodyAsks(REQUEST, LONG);
        leases.time.advance(Duration.ofSeconds(1));
        lease.releaseAsync();
        leases.next("release");
    }

    @Test
    void keepsTheNameClosedForAsLongAsItIsHeldAtLeast() {
        CompletableFuture<Optional<Lease>> asked = leases.ask(REQUEST.withHoldAtLeast(Duration.ofSeconds(60)));
        Sent acquire = leases.next("acquire");
        assertThat(acquire.claim().ttl()).as("if the process dies").isEqualTo(Duration.ofSeconds(62));
        acquire.done();
        Lease lease = asked.join().orElseThrow();
        leases.time.advance(Duration.ofSeconds(1));
        CompletableFuture<ReleaseOutcome> outcome = release(lease);
        assertThat(lease.isHeld()).isFalse();
        Sent closing = leases.next("renew");
        assertThat(closing.heldIds).containsExactly(acquire.id());
        assertThat(closing.claim().ttl()).isEqualTo(Duration.ofSeconds(61));
        closing.done();
        assertThat(outcome.join()).isEqualTo(ReleaseOutcome.RELEASED);
        leases.time.advance(Duration.ofSeconds(59));
        leases.nothingSent();
        leases.time.advance(Duration.ofMillis(200));
        assertThat(leases.next("release").heldIds).containsExactly(closing.id());
    }

    /** A lease that its holder has lost by that, and whose name others may not have for a while. */
    @Test
    void keepsTheNameClosedThoughTheClockIsSetForward() {
        Lease lease = leases.acquired(BY_HAND.withHoldAtLeast(Duration.ofSeconds(60)));
        leases.time.advance(Duration.ofSeconds(1));
        leases.setForward.set(Duration.ofMinutes(10).toNanos());
        var unused = release(lease);
        assertThat(leases.events).contains("lost EXPIRED after PT10M1S");
        assertThat(leases.next("renew").claim().ttl()).isEqualTo(Duration.ofSeconds(61));
    }

    @Test
    void isRenewedForTheTimeItIsHeldAtLeast() {
        leases.acquired(REQUEST.withHoldAtLeast(Duration.ofSeconds(60)));
        Sent renewal = leases.nextAfter(Duration.ofNanos(20_149_999_999L), "renew");
        assertThat(renewal.claim().ttl()).isEqualTo(Duration.ofSeconds(62));
    }

    @Test
    void isNotHandedOverWhileHeldAtLeast() {
        LeaseRequest request = REQUEST.withHoldAtLeast(Duration.ofMillis(100));
        Lease first = leases.acquired(request);
        leases.somebodyAsks(request, LONG);
        leases.time.advance(Duration.ofMillis(50));
        var unused = release(first);
        Sent closing = leases.next("renew");
        closing.done();
        leases.next("acquire").refused(3, closing.id());
        leases.nothingSent();
    }

    @Test
    void staysClosedWhereTheLocksAreClosedBefore() {
        leases.acquired(REQUEST.withHoldAtLeast(Duration.ofSeconds(60)));
        CompletableFuture<Void> closed = CompletableFuture.runAsync(leases.locks::close);
        await().untilAsserted(() -> leases.next("renew").done());
        closed.join();
        leases.nothingSent();
    }

    @Test
    void aRenewalOfUnknownOutcomeIsNotRemovedBeforeItWasHeldAtLeast() {
        ScriptedLeases capped = new ScriptedLeases(ScriptedLeases.heldAtMost(Duration.ofSeconds(25)));
        capped.acquired(REQUEST.withHoldAtLeast(Duration.ofSeconds(60))).renewAsync();
        Sent renewal = capped.next("renew");
        capped.time.advance(Duration.ofSeconds(26));
        assertThat(capped.events).endsWith("lost MAX_HOLD after PT25S");
        renewal.unclear();
        capped.nothingSent();
        capped.somebodyAsks(REQUEST);
        capped.next("acquire").refused(3, renewal.id());
        capped.nothingSent();
    }
}
