package io.surewrite.lease;

import static io.surewrite.lease.ScriptedLeases.USABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.lease.Lease.LossReason;
import io.surewrite.lease.Lease.ReleaseOutcome;
import io.surewrite.lease.ScriptedLeases.Sent;
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
        assertThat(lease.releaseAsync().toCompletableFuture().join()).isEqualTo(ReleaseOutcome.NOT_HELD);
        lease.onLost(heard::add);
        assertThat(heard).hasSize(2);
        leases.nextAfter(Duration.ofNanos(3_750_000), "read").shows(9, null, Duration.ZERO);
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
    void joinsARenewalUnderWay() {
        Lease lease = leases.acquired(BY_HAND);
        CompletableFuture<Boolean> one = lease.renewAsync().toCompletableFuture();
        CompletableFuture<Boolean> two = lease.renewAsync().toCompletableFuture();
        leases.next("renew").done();
        assertThat(one.join()).isTrue();
        assertThat(two.join()).isTrue();
        leases.nothingSent();
    }

    @Test
    void lastsNoLongerThanAHoldMay() {
        ScriptedLeases capped = new ScriptedLeases(ScriptedLeases.heldAtMost(Duration.ofSeconds(20)));
        assertThat(capped.acquired(REQUEST).remaining()).isEqualTo(Duration.ofSeconds(20));
        capped.time.advance(Duration.ofSeconds(20));
        capped.nothingSent();
        assertThat(capped.events).endsWith("lost MAX_HOLD after PT20S");
    }
}
