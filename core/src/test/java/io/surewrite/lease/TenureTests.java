package io.surewrite.lease;

import static io.surewrite.lease.ScriptedLeases.USABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.surewrite.lease.Lease.LossReason;
import io.surewrite.lease.Lease.ReleaseOutcome;
import io.surewrite.lease.ScriptedLeases.Sent;
import io.surewrite.write.WriteHolds.WriteHold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a lease is renewed and lost, answer by answer. */
class TenureTests {

    private static final LeaseRequest REQUEST = LeaseRequest.of("item:1");
    private static final LeaseRequest BY_HAND = REQUEST.withoutRenewal();
    private static final LeaseRequest OTHER = REQUEST.withTtl(Duration.ofSeconds(40));
    private static final Duration LONG = Duration.ofMinutes(10);

    /** A third of the ttl, and up to a tenth less. */
    private static final Duration RENEWAL = Duration.ofMillis(9_750);

    private final ScriptedLeases leases = new ScriptedLeases();

    private static CompletableFuture<ReleaseOutcome> release(Lease lease) {
        return lease.releaseAsync().toCompletableFuture();
    }

    /** Whether it is in effect is not known: then its row covers less than before. */
    @Test
    void permitsNothingThatAShorterRenewalMayNotCover() {
        Lease lease = leases.acquired(LeaseRequest.of("item:1").withoutRenewal());
        WriteHold hold = (WriteHold) lease;
        long ahead = leases.timestamps.tick() + 9_000_000;
        lease.renewAsync(Duration.ofSeconds(10));
        Sent renewal = leases.next("renew");
        assertThat(renewal.claim().reserved()).isBetween(ahead - 1_000_000, ahead - 1);
        assertThat(hold.permits(leases.timestamps.tick())).isTrue();
        assertThat(hold.permits(ahead)).as("under way").isFalse();
        renewal.unclear();
        assertThat(hold.permits(ahead)).as("unclear").isFalse();
        lease.renewAsync();
        leases.next("renew").done();
        assertThat(hold.permits(ahead)).as("renewed for longer").isTrue();
    }

    @Test
    void aShorterRenewalCoversWhatWasPermittedBefore() {
        Lease lease = leases.acquired(LeaseRequest.of("item:1").withoutRenewal());
        WriteHold hold = (WriteHold) lease;
        long ahead = leases.timestamps.tick() + 9_000_000;
        assertThat(hold.permits(ahead)).isTrue();
        lease.renewAsync(Duration.ofSeconds(3));
        Sent renewal = leases.next("renew");
        assertThat(renewal.claim().reserved()).isGreaterThanOrEqualTo(ahead);
        renewal.done();
        assertThat(hold.permits(ahead)).isTrue();
    }

    @Test
    void isRenewedUnderAnotherIdEachTime() {
        CompletableFuture<Optional<Lease>> asked = leases.ask(REQUEST);
        Sent acquire = leases.next("acquire");
        acquire.done();
        Lease lease = asked.join().orElseThrow();
        Sent first = leases.nextAfter(RENEWAL, "renew");
        assertThat(first.heldIds).containsExactly(acquire.id());
        assertThat(first.id()).isNotEqualTo(acquire.id());
        leases.time.advance(Duration.ofMillis(100));
        first.done();
        assertThat(lease.remaining()).isEqualTo(USABLE.minusMillis(100));
        Sent second = leases.nextAfter(RENEWAL.minusMillis(100), "renew");
        assertThat(second.heldIds).containsExactly(first.id());
        assertThat(leases.events).contains("renewed true");
        second.done();
        assertThat(leases.time.waiting()).isEqualTo(1);
    }

    @Test
    void isRenewedSoonAfterAnUnclearAnswer() {
        leases.somebodyAsks(REQUEST);
        Sent acquire = leases.next("acquire");
        acquire.done();
        Sent first = leases.nextAfter(RENEWAL, "renew");
        first.unclear();
        assertThat(leases.events).endsWith("renewed false");
        Sent second = leases.nextAfter(RENEWAL.dividedBy(4), "renew");
        assertThat(second.heldIds).containsExactlyInAnyOrder(acquire.id(), first.id());
        second.done();
        assertThat(leases.nextAfter(RENEWAL, "renew").heldIds).containsExactly(second.id());
    }

    @Test
    void isRenewedSoonerAfterAShorterTtlWasTried() {
        Lease lease = leases.acquired(REQUEST);
        lease.renewAsync(Duration.ofSeconds(4));
        Sent shorter = leases.next("renew");
        assertThat(shorter.claim().ttl()).isEqualTo(Duration.ofSeconds(4));
        shorter.unclear();
        assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(2_500));
        Sent again = leases.nextAfter(Duration.ofNanos(2_500_000_000L / 3), "renew");
        assertThat(again.claim().ttl()).isEqualTo(Duration.ofSeconds(30));
        again.done();
        assertThat(lease.remaining()).isEqualTo(USABLE);
    }

    @Test
    void endsWithTheShorterTtlThatWasTried() {
        Lease lease = leases.acquired(BY_HAND);
        lease.renewAsync(Duration.ofSeconds(4));
        leases.next("renew").unclear();
        leases.time.advance(Duration.ofMillis(2_500));
        assertThat(leases.events).endsWith("lost EXPIRED after PT2.5S");
    }

    @Test
    void isLostWhereAnotherHoldsIt() {
        Lease lease = leases.acquired(REQUEST);
        List<LossReason> heard = new ArrayList<>();
        lease.onLost(heard::add);
        CompletableFuture<Optional<Lease>> waiting = leases.ask(OTHER, LONG);
        Sent renewal = leases.nextAfter(RENEWAL, "renew");
        renewal.refused(9, UUID.randomUUID());
        assertThat(heard).containsExactly(LossReason.GONE);
        assertThat(leases.events).endsWith("renewed false", "lost GONE after PT9.75S");
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThat(lease.renewAsync().toCompletableFuture().join()).isFalse();
        assertThat(release(lease).join()).isEqualTo(ReleaseOutcome.NOT_HELD);
        lease.onLost(heard::add);
        assertThat(heard).hasSize(2);
        leases.nextAfter(Duration.ofNanos(7_500_000), "read").shows(9, null, Duration.ZERO);
        leases.next("acquire").done();
        assertThat(waiting.join()).isPresent();
    }

    @Test
    void isLostWhenItsTimeIsOver() {
        Lease lease = leases.acquired(BY_HAND);
        leases.time.advance(USABLE.minusNanos(1));
        leases.nothingSent();
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isEqualTo(Duration.ofNanos(1));
        leases.time.advance(Duration.ofNanos(1));
        assertThat(leases.events).endsWith("lost EXPIRED after PT28.5S");
        assertThat(leases.time.waiting()).isZero();
    }

    @Test
    void noticesThatItsTimeIsOverWhenAsked() {
        Lease lease = leases.acquired(BY_HAND);
        leases.time.freeze(USABLE);
        assertThat(leases.locks.held()).isEmpty();
        assertThat(lease.isHeld()).isFalse();
        assertThat(leases.events).endsWith("lost EXPIRED after PT28.5S");
    }

    @Test
    void isLostWhenARenewalIsAnsweredTooLate() {
        Lease lease = leases.acquired(REQUEST);
        Sent renewal = leases.nextAfter(RENEWAL, "renew");
        leases.time.freeze(USABLE);
        renewal.done();
        assertThat(leases.events).endsWith("renewed true", "lost EXPIRED after PT38.25S");
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void joinsARenewalUnderWay() {
        Lease lease = leases.acquired(BY_HAND);
        CompletableFuture<Boolean> one = lease.renewAsync().toCompletableFuture();
        CompletableFuture<Boolean> two = lease.renewAsync().toCompletableFuture();
        CompletableFuture<Boolean> longer =
                lease.renewAsync(Duration.ofSeconds(60)).toCompletableFuture();
        leases.next("renew").done();
        assertThat(one.join()).isTrue();
        assertThat(two.join()).isTrue();
        assertThat(longer).isNotCompleted();
        leases.next("renew").done();
        assertThat(longer.join()).isTrue();
        assertThat(lease.remaining()).isEqualTo(USABLE.plusSeconds(30));
        assertThatIllegalArgumentException().isThrownBy(() -> lease.renewAsync(Duration.ofSeconds(1)));
        leases.nothingSent();
    }

    @Test
    void lastsNoLongerThanAHoldMay() {
        ScriptedLeases capped = new ScriptedLeases(new LeaseSettings(
                "me",
                Duration.ofSeconds(30),
                Duration.ofMillis(500),
                Duration.ofSeconds(20),
                2,
                Duration.ofSeconds(60),
                Duration.ofSeconds(5),
                Duration.ofMillis(10),
                Duration.ofSeconds(1)));
        Lease lease = capped.acquired(REQUEST);
        assertThat(lease.remaining()).isEqualTo(Duration.ofSeconds(20));
        capped.time.advance(Duration.ofSeconds(15));
        capped.nothingSent();
        CompletableFuture<Optional<Lease>> waiting = capped.ask(REQUEST, LONG);
        lease.releaseAsync();
        Lease next = waiting.join().orElseThrow();
        // As long as the table has confirmed; only a renewal makes it more.
        assertThat(next.remaining()).isEqualTo(USABLE.minusSeconds(15));
        capped.nextAfter(Duration.ofSeconds(5), "renew").done();
        assertThat(next.remaining()).isEqualTo(Duration.ofSeconds(15));
        capped.time.advance(Duration.ofSeconds(15));
        assertThat(capped.events).endsWith("lost MAX_HOLD after PT20S");
    }

    @Test
    void countsTheWritesUnderItsToken() {
        Lease lease = leases.acquired(BY_HAND);
        assertThat(lease.nextFence()).isEqualTo((1L << 20) + 1);
        assertThat(lease.nextFence()).isEqualTo((1L << 20) + 2);
        assertThat(lease).hasToString("Lease[item:1, token 1]");
        assertThat(lease.holder()).isEqualTo("me");
    }
}
