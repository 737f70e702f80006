package io.surewrite.unique.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.simulation.Patience;
import io.surewrite.unique.UniqueSettings;
import io.surewrite.unique.claims.ClaimStore.Claim;
import io.surewrite.unique.claims.ClaimStore.ClaimAnswer;
import io.surewrite.unique.claims.ClaimStore.ClaimKey;
import io.surewrite.unique.claims.ClaimStore.SeenClaim;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the guard relies on: every statement applied, refused, and run a second time. */
abstract class ClaimStoreContract {

    private static final UUID OTHER = UUID.randomUUID();
    private static final UUID NOT_SHOWN = new UUID(0, 0);

    private final ClaimKey key = new ClaimKey("constraint", "5:" + UUID.randomUUID());
    private final Claim first = new Claim("row", UUID.randomUUID(), UUID.randomUUID(), 10);
    private final Claim second = new Claim("row", UUID.randomUUID(), null, 20);
    private ClaimStore store;

    /** {@return a table that is empty at {@link #key}} */
    abstract ClaimStore store(UniqueSettings settings);

    abstract Patience patience();

    @BeforeEach
    void open() {
        store = store(settings(10));
    }

    private static UniqueSettings settings(int lease) {
        return new UniqueSettings(
                Duration.ofSeconds(lease),
                Duration.ofMillis(100),
                Duration.ofMillis(300),
                Duration.ofSeconds(5),
                Duration.ofSeconds(15),
                false);
    }

    @Test
    void createsAClaimOnceAndShowsItWholeToOthers() {
        done(store.create(key, first));
        done(store.create(key, first));
        refused(
                store.create(key, new Claim("rival", OTHER, OTHER, 15)),
                new SeenClaim(first, false, true, Duration.ZERO));
        assertThat(seen().claim()).isEqualTo(first);
        assertThat(seen().contested()).isFalse();
    }

    @Test
    void countsALeaseInWholeSeconds() {
        done(store.create(key, first));
        assertThat(seen().leased()).isTrue();
        assertThat(seen().leaseLeft()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(10));
        assertThat(seen().leaseLeft().toNanosPart()).isZero();
    }

    @Test
    void leavesTheClaimWhenItsLeaseIsOver() {
        store = store(settings(2));
        done(store.create(key, first));
        patience().until(() -> !seen().leased());
        assertThat(seen()).isEqualTo(new SeenClaim(first, false, false, Duration.ZERO));
        refused(store.create(key, second), new SeenClaim(first, false, false));
        done(store.mark(key, first, OTHER));
    }

    @Test
    void replacesExactlyTheClaimThatWasSeen() {
        done(store.create(key, first));
        done(store.replace(key, first, second));
        done(store.replace(key, first, second));
        assertThat(seen().claim())
                .as("with the origin that was there")
                .isEqualTo(new Claim("row", second.claimId(), first.originId(), 20));
        refused(
                store.replace(key, first, new Claim("row", OTHER, null, 30)),
                new SeenClaim(new Claim("row", second.claimId(), null, 20), false, false));
        Claim ofARival = new Claim("rival", UUID.randomUUID(), UUID.randomUUID(), 5);
        done(store.replace(key, second, ofARival));
        assertThat(seen().claim()).isEqualTo(ofARival);
        assertThat(seen().leased()).isTrue();
    }

    @Test
    void replacesNothingWhoseOwnerOrTimestampIsAnother() {
        done(store.create(key, first));
        SeenClaim shown = new SeenClaim(new Claim("row", first.claimId(), null, 10), false, false);
        refused(store.replace(key, new Claim("rival", first.claimId(), null, 10), second), shown);
        refused(store.replace(key, new Claim("row", first.claimId(), null, 11), second), shown);
        assertThat(seen().claim()).isEqualTo(first);
    }

    @Test
    void changesNothingWhereThereIsNothing() {
        refused(store.replace(key, first, second), null);
        refused(store.mark(key, first, OTHER), null);
        refused(store.protect(key, second), null);
        refused(store.raise(key, second), null);
        refused(store.release(key, "row", 100), null);
        refused(store.abandon(key, OTHER), null);
        refused(store.settle(key, OTHER), null);
        assertThat(patience().await(store.read(key))).isEmpty();
    }

    @Test
    void marksOnlyAClaimWithoutALease() {
        done(store.create(key, first));
        refused(store.mark(key, first, OTHER), new SeenClaim(new Claim("", first.claimId(), null, 0), false, true));
        done(store.settle(key, first.claimId()));
        done(store.mark(key, first, OTHER));
        done(store.mark(key, first, OTHER));
        assertThat(seen().claim()).isEqualTo(new Claim("row", OTHER, first.originId(), 10));
        assertThat(seen().contested()).isTrue();
        assertThat(seen().leased()).isTrue();
        done(store.replace(key, new Claim("row", OTHER, null, 10), second));
        assertThat(seen().contested()).isFalse();
    }

    @Test
    void marksForHalfALease() {
        done(store.note(key, first));
        done(store.mark(key, first, OTHER));
        assertThat(seen().leaseLeft()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(5));
    }

    @Test
    void settlesByIdAsOftenAsItIsAsked() {
        done(store.create(key, first));
        refused(store.settle(key, OTHER), new SeenClaim(new Claim("", first.claimId(), null, 0), false, false));
        done(store.settle(key, first.claimId()));
        done(store.settle(key, first.claimId()));
        assertThat(seen()).isEqualTo(new SeenClaim(first, false, false));
    }

    @Test
    void protectsOnlyItsOwnersFreeClaimAndNeverLowersItsTimestamp() {
        done(store.create(key, first));
        refused(store.protect(key, second), new SeenClaim(new Claim("row", first.claimId(), null, 10), false, true));
        done(store.settle(key, first.claimId()));
        done(store.protect(key, second));
        done(store.protect(key, second));
        assertThat(seen().leased()).isTrue();
        done(store.settle(key, second.claimId()));
        SeenClaim shown = new SeenClaim(new Claim("row", second.claimId(), null, 20), false, false);
        refused(store.protect(key, new Claim("row", OTHER, null, 20)), shown);
        refused(store.protect(key, new Claim("row", OTHER, null, 19)), shown);
        refused(store.protect(key, new Claim("rival", OTHER, null, 30)), shown);
        assertThat(seen().claim()).isEqualTo(new Claim("row", second.claimId(), first.originId(), 20));
    }

    @Test
    void protectsWithTheOriginThatIsThere() {
        done(store.create(key, first));
        done(store.settle(key, first.claimId()));
        done(store.protect(key, new Claim("row", OTHER, UUID.randomUUID(), 20)));
        assertThat(seen().claim()).isEqualTo(new Claim("row", OTHER, first.originId(), 20));
    }

    @Test
    void protectionTakesAMarkAway() {
        store = store(settings(2));
        done(store.note(key, first));
        done(store.mark(key, first, OTHER));
        patience().until(() -> !seen().leased());
        assertThat(seen().contested()).isTrue();
        done(store.protect(key, second));
        assertThat(seen().contested()).isFalse();
    }

    @Test
    void notesAndRaisesWithoutALease() {
        done(store.note(key, second));
        done(store.note(key, second));
        assertThat(seen()).isEqualTo(new SeenClaim(second, false, false));
        refused(store.note(key, new Claim("row", OTHER, null, 30)), new SeenClaim(second, false, false));
        SeenClaim shown = new SeenClaim(new Claim("row", second.claimId(), null, 20), false, false);
        refused(store.raise(key, new Claim("row", OTHER, null, 20)), shown);
        refused(store.raise(key, new Claim("rival", OTHER, null, 30)), shown);
        Claim higher = new Claim("row", UUID.randomUUID(), null, 30);
        done(store.raise(key, higher));
        done(store.raise(key, higher));
        assertThat(seen()).isEqualTo(new SeenClaim(higher, false, false));
    }

    @Test
    void notesNoOrigin() {
        done(store.note(key, first));
        assertThat(seen().claim()).isEqualTo(new Claim("row", first.claimId(), null, 10));
    }

    @Test
    void raisesNothingThatIsLeased() {
        done(store.create(key, first));
        refused(store.raise(key, second), new SeenClaim(new Claim("row", first.claimId(), null, 10), false, true));
    }

    @Test
    void leavesAMarkWhereItRaises() {
        store = store(settings(2));
        done(store.note(key, first));
        done(store.mark(key, first, OTHER));
        patience().until(() -> !seen().leased());
        done(store.raise(key, second));
        assertThat(seen()).isEqualTo(new SeenClaim(second, true, false));
    }

    @Test
    void releasesByTimestampAndAbandonsById() {
        done(store.create(key, first));
        SeenClaim shown = new SeenClaim(new Claim("row", NOT_SHOWN, null, 10), false, false);
        refused(store.release(key, "row", 10), shown);
        refused(store.release(key, "rival", 11), shown);
        done(store.release(key, "row", 11));
        refused(store.release(key, "row", 11), null);
        done(store.create(key, first));
        refused(store.abandon(key, OTHER), new SeenClaim(new Claim("", first.claimId(), null, 0), false, false));
        done(store.abandon(key, first.claimId()));
        refused(store.abandon(key, first.claimId()), null);
        assertThat(patience().await(store.read(key))).isEmpty();
    }

    @Test
    void keepsNothingOfAClaimThatIsGone() {
        done(store.create(key, first));
        done(store.abandon(key, first.claimId()));
        done(store.note(key, second));
        assertThat(seen()).isEqualTo(new SeenClaim(second, false, false));
    }

    private SeenClaim seen() {
        return patience().await(store.read(key)).orElseThrow();
    }

    private void done(CompletionStage<ClaimAnswer> answer) {
        assertThat(patience().await(answer)).isEqualTo(new ClaimAnswer.Done());
    }

    /** A refusal shows the columns of the statement's condition alone. */
    private void refused(CompletionStage<ClaimAnswer> answer, @Nullable SeenClaim shown) {
        assertThat(patience().await(answer)).isEqualTo(new ClaimAnswer.Refused(shown));
    }
}
