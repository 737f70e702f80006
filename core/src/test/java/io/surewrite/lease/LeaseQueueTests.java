package io.surewrite.lease;

import static io.surewrite.lease.ScriptedLeases.USABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surewrite.lease.ScriptedLeases.Sent;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a queue sends to the table, when, and what its callers hear, answer by answer. */
class LeaseQueueTests {

    private static final LeaseRequest REQUEST = LeaseRequest.of("item:1");
    private static final LeaseRequest OTHER = REQUEST.withTtl(Duration.ofSeconds(40));
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final UUID RIVAL = UUID.randomUUID();

    private final ScriptedLeases leases = new ScriptedLeases();

    private static Duration millis(double millis) {
        return Duration.ofNanos((long) (millis * 1e6));
    }

    @Test
    void countsALeaseFromWhenItWasSent() {
        CompletableFuture<Optional<Lease>> asked = leases.ask(REQUEST);
        Sent acquire = leases.next("acquire");
        assertThat(acquire.claim().expectedEpoch()).isZero();
        assertThat(acquire.claim().nextEpoch()).isEqualTo(3);
        leases.time.advance(millis(100));
        acquire.done();
        Lease lease = asked.join().orElseThrow();
        assertThat(lease.remaining()).isEqualTo(USABLE.minusMillis(100));
        assertThat(lease.token()).isEqualTo(1);
        assertThat(lease.isHeld()).isTrue();
        assertThat(leases.events).containsExactly("acquired after PT0.1S");
        assertThat(leases.locks.held()).containsExactly(lease);
    }

    @Test
    void aFreeNameIsHadHoweverShortTheWait() {
        CompletableFuture<Optional<Lease>> asked = leases.ask(REQUEST, millis(1));
        Sent acquire = leases.next("acquire");
        leases.time.advance(millis(30));
        assertThat(asked).isNotCompleted();
        acquire.done();
        assertThat(asked.join()).isPresent();
        assertThat(leases.events).containsExactly("acquired after PT0.03S");
        assertThat(leases.time.waiting()).as("the renewal's timer").isEqualTo(1);
    }

    @Test
    void saysThatTheClusterGaveNoAnswerOneAttemptAfterTheWait() {
        CompletableFuture<Optional<Lease>> asked = leases.ask(REQUEST, millis(50));
        Sent acquire = leases.next("acquire");
        leases.time.advance(millis(5_049));
        assertThat(asked).isNotCompleted();
        leases.time.advance(millis(1));
        assertThatThrownBy(asked::join)
                .hasCauseInstanceOf(LeaseUnavailableException.class)
                .hasMessageContaining("'item:1' could not be decided: the cluster gave no answer in PT5.05S");
        assertThat(leases.events).containsExactly("not acquired after PT5.05S, unavailable");
        acquire.done();
        assertThat(leases.next("release").heldIds).containsExactly(acquire.id());
        assertThat(leases.locks.held()).isEmpty();
    }

    /** The look that was on its way may have met the holder before it let go. */
    @Test
    void anAnswerFromBeforeTheCallSaysNothing() {
        leases.somebodyAsks(REQUEST, millis(5));
        leases.next("acquire").refused(7, RIVAL);
        Sent look = leases.nextAfter(millis(3.75), "read");
        CompletableFuture<Optional<Lease>> noWait = leases.ask(OTHER);
        CompletableFuture<Optional<Lease>> shortWait = leases.ask(OTHER, millis(1));
        leases.time.advance(millis(1.25));
        look.shows(7, RIVAL, Duration.ofSeconds(9));
        assertThat(noWait).isNotCompleted();
        assertThat(shortWait).isNotCompleted();
        leases.next("acquire").done();
        assertThat(noWait.join()).isPresent();
        assertThat(shortWait.join())
                .as("held by another caller of this process")
                .isEmpty();
    }

    /** The name may be free since the last look, whoever was before the caller. */
    @Test
    void aLookFromBeforeTheCallSaysNothingEither() {
        CompletableFuture<Optional<Lease>> first = leases.ask(REQUEST, millis(2.5));
        leases.next("acquire").refused(7, RIVAL);
        leases.time.advance(millis(2));
        CompletableFuture<Optional<Lease>> second = leases.ask(OTHER, millis(1));
        leases.time.advance(millis(0.5));
        assertThat(first.join()).isEmpty();
        leases.nextAfter(millis(0.5), "acquire").done();
        assertThat(second.join()).isPresent();
    }

    @Test
    void looksMoreSeldomAtOneWhoStays() {
        CompletableFuture<Optional<Lease>> asked = leases.ask(REQUEST, LONG);
        leases.next("acquire").refused(7, RIVAL);
        leases.nextAfter(millis(3.75), "read").shows(7, RIVAL, Duration.ofSeconds(9));
        leases.nextAfter(millis(7.5), "read").shows(7, RIVAL, Duration.ofSeconds(9));
        leases.nextAfter(millis(15), "read").shows(7, RIVAL, millis(20));
        leases.nextAfter(millis(20), "read").shows(7, RIVAL, millis(3));
        leases.nextAfter(millis(5), "read").shows(9, UUID.randomUUID(), Duration.ofSeconds(9));
        leases.nextAfter(millis(3.75), "read").shows(9, null, Duration.ZERO);
        Sent acquire = leases.next("acquire");
        assertThat(acquire.claim().expectedEpoch()).isEqualTo(9);
        assertThat(acquire.claim().nextEpoch()).isEqualTo(12);
        acquire.done();
        assertThat(asked.join().orElseThrow().token()).isEqualTo(10);
    }

    @Test
    void freesWhatAnUnclearAttemptLeft() {
        CompletableFuture<Optional<Lease>> asked = leases.ask(REQUEST, LONG);
        Sent lost = leases.next("acquire");
        lost.unclear();
        leases.nextAfter(millis(7.5), "read").shows(3, lost.id(), Duration.ofSeconds(29));
        Sent release = leases.next("release");
        assertThat(release.heldIds).containsExactly(lost.id());
        release.unclear();
        leases.nextAfter(millis(3.75), "read").shows(3, lost.id(), Duration.ofSeconds(29));
        leases.next("release").refused(3, null);
        leases.next("acquire").done();
        assertThat(asked).isCompleted();
    }

    @Test
    void sendsEverybodyAwayAtTheEnd() {
        CompletableFuture<Optional<Lease>> waiting = leases.ask(REQUEST, LONG);
        leases.next("acquire").refused(7, RIVAL);
        leases.locks.close();
        assertThatThrownBy(waiting::join)
                .hasCauseInstanceOf(LeaseUnavailableException.class)
                .hasMessageContaining("shutting down");
        assertThat(leases.events).endsWith("not acquired after PT0S, unavailable", "closed");
        assertThatThrownBy(() -> leases.ask(REQUEST))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("item:1");
    }
}
