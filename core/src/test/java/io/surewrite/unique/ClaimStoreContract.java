package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.simulation.Patience;
import io.surewrite.unique.ClaimStore.Claim;
import io.surewrite.unique.ClaimStore.ClaimAnswer;
import io.surewrite.unique.ClaimStore.ClaimKey;
import io.surewrite.unique.ClaimStore.SeenClaim;
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
    void changesNothingWhereThereIsNothing() {
        refused(store.raise(key, new Claim("row", OTHER, null, 20)), null);
        refused(store.join(key, OTHER, OTHER), null);
        refused(store.take(key, OTHER, first), null);
        refused(store.withdraw(key, OTHER), null);
        refused(store.release(key, "row", 100), null);
        refused(store.protect(key, second), null);
        refused(store.raiseFence(key, OTHER, second), null);
        assertThat(patience().await(store.read(key))).isEmpty();
    }

    @Test
    void keepsNothingOfAClaimThatIsGone() {
        done(store.create(key, first));
        done(store.withdraw(key, first.claimId()));
        done(store.fence(key, second));
        done(store.release(key, "row", 21));
        done(store.adopt(key, second));
        assertThat(seen()).isEqualTo(free(second));
        assertThat(fence()).isEqualTo(RowSnapshot.NEVER);
    }

    // ---- create and adopt

    @Test
    void createsAClaimOnceAndShowsItWholeToOthers() {
        done(store.create(key, first));
        done(store.create(key, first));
        refused(store.create(key, new Claim("rival", OTHER, OTHER, 15)), new SeenClaim(first, true, Duration.ZERO));
        assertThat(seen().claim()).isEqualTo(first);
    }

    @Test
    void leavesTheClaimWhenItsReservationIsOver() {
        createAndWait();
        assertThat(seen()).isEqualTo(free(first));
        refused(store.create(key, second), free(first));
    }

    @Test
    void adoptsWithoutReservationAndOrigin() {
        done(store.adopt(key, first));
        done(store.adopt(key, first));
        assertThat(seen()).isEqualTo(free(withoutOrigin(first)));
        refused(store.adopt(key, second), free(withoutOrigin(first)));
    }

    // ---- raise and join

    @Test
    void raisesAReservedClaimAndLeavesItsOrigin() {
        done(store.create(key, first));
        done(store.raise(key, second));
        done(store.raise(key, second));
        assertThat(seen().claim()).isEqualTo(new Claim("row", second.claimId(), first.originId(), 20));
        assertThat(seen().reserved()).isTrue();
    }

    @Test
    void raisesNothingToTheSameTimestampOrDown() {
        done(store.create(key, second));
        SeenClaim shown = shown("row", second.claimId(), 20, false);
        refused(store.raise(key, new Claim("row", OTHER, null, 20)), shown);
        refused(store.raise(key, new Claim("row", OTHER, null, 19)), shown);
        refused(store.raise(key, new Claim("rival", OTHER, null, 30)), shown);
        assertThat(seen().claim()).isEqualTo(second);
    }

    @Test
    void raisesAClaimOfItsOriginAlone() {
        done(store.create(key, first));
        UUID id = UUID.randomUUID();
        assertThat(patience().await(store.raise(key, new Claim("row", id, OTHER, 30))))
                .isInstanceOf(ClaimAnswer.Refused.class);
        assertThat(seen().claim()).isEqualTo(first);
        done(store.raise(key, new Claim("row", id, first.originId(), 30)));
        assertThat(seen().claim()).isEqualTo(new Claim("row", id, first.originId(), 30));
    }

    @Test
    void isDoneWhereItsIdIsThereAtAnotherTimestamp() {
        done(store.create(key, first));
        done(store.raise(key, new Claim("row", first.claimId(), null, 30)));
        assertThat(seen().claim()).as("as it was").isEqualTo(first);
    }

    @Test
    void joinsWithNothingButAnotherId() {
        done(store.create(key, first));
        refused(store.join(key, second.claimId(), OTHER), shown("", first.claimId(), 0, false));
        assertThat(seen().claim()).isEqualTo(first);
        done(store.join(key, first.claimId(), OTHER));
        done(store.join(key, first.claimId(), OTHER));
        assertThat(seen().claim()).isEqualTo(new Claim("row", OTHER, first.originId(), 10));
        assertThat(seen().reserved()).isTrue();
    }

    @Test
    void reservesWhatItRaisesAndNotWhatItJoins() {
        done(store.adopt(key, first));
        done(store.join(key, first.claimId(), OTHER));
        assertThat(seen()).isEqualTo(free(new Claim("row", OTHER, null, 10)));
        done(store.raise(key, second));
        assertThat(seen().reservedFor()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(10));
    }

    // ---- take

    @Test
    void takesWhatWasSeenAndHasNoReservation() {
        done(store.adopt(key, second));
        Claim rivals = new Claim("rival", UUID.randomUUID(), UUID.randomUUID(), 5);
        done(store.take(key, second.claimId(), rivals));
        done(store.take(key, second.claimId(), rivals));
        assertThat(seen().claim()).isEqualTo(rivals);
        assertThat(seen().reserved()).isTrue();
    }

    @Test
    void takesNothingThatIsReserved() {
        done(store.create(key, first));
        refused(
                store.take(key, first.claimId(), new Claim("rival", OTHER, OTHER, 20)),
                shown("", first.claimId(), 0, true));
        assertThat(seen().claim()).isEqualTo(first);
    }

    @Test
    void takesNothingThatHasAnotherId() {
        done(store.adopt(key, second));
        refused(
                store.take(key, first.claimId(), new Claim("rival", OTHER, OTHER, 30)),
                shown("", second.claimId(), 0, false));
        assertThat(seen()).isEqualTo(free(second));
    }

    // ---- withdraw and release

    @Test
    void withdrawsByIdAlone() {
        done(store.create(key, first));
        refused(store.withdraw(key, OTHER), shown("", first.claimId(), 0, false));
        done(store.withdraw(key, first.claimId()));
        refused(store.withdraw(key, first.claimId()), null);
        assertThat(patience().await(store.read(key))).isEmpty();
    }

    @Test
    void releasesItsOwnersClaimBelowATimestamp() {
        done(store.create(key, first));
        SeenClaim shown = shown("row", NOT_SHOWN, 10, false);
        refused(store.release(key, "row", 10), shown);
        refused(store.release(key, "rival", 11), shown);
        done(store.release(key, "row", 11));
        refused(store.release(key, "row", 11), null);
        assertThat(patience().await(store.read(key))).isEmpty();
    }

    // ---- protect

    @Test
    void protectsWithoutReservationAndLeavesTheOrigin() {
        createAndWait();
        done(store.protect(key, second));
        done(store.protect(key, second));
        assertThat(seen()).isEqualTo(free(new Claim("row", second.claimId(), first.originId(), 20)));
    }

    @Test
    void protectsNothingThatIsReservedOrAsHighOrAnothers() {
        done(store.create(key, first));
        refused(store.protect(key, second), shown("row", first.claimId(), 10, true));
        done(store.withdraw(key, first.claimId()));
        done(store.adopt(key, second));
        SeenClaim shown = shown("row", second.claimId(), 20, false);
        refused(store.protect(key, new Claim("row", OTHER, null, 20)), shown);
        refused(store.protect(key, new Claim("row", OTHER, null, 19)), shown);
        refused(store.protect(key, new Claim("rival", OTHER, null, 30)), shown);
        assertThat(seen()).isEqualTo(free(second));
    }

    // ---- fences

    @Test
    void fencesARowThatHasNoClaimAndRaisesFenceAndTimestampTogether() {
        done(store.fence(key, second));
        done(store.fence(key, second));
        assertThat(seen()).isEqualTo(free(second));
        assertThat(fence()).isEqualTo(20);
        Claim higher = new Claim("row", UUID.randomUUID(), null, 30);
        done(store.raiseFence(key, second.claimId(), higher));
        done(store.raiseFence(key, second.claimId(), higher));
        assertThat(seen()).isEqualTo(free(higher));
        assertThat(fence()).isEqualTo(30);
    }

    @Test
    void fencesARowThatWritersHaveClaimedBefore() {
        createAndWait();
        refused(store.fence(key, second), shown("", first.claimId(), 10, false));
        done(store.raiseFence(key, first.claimId(), second));
        assertThat(seen()).isEqualTo(free(new Claim("row", second.claimId(), first.originId(), 20)));
        assertThat(fence()).isEqualTo(20);
    }

    /** The fence goes by the id alone; whether to wait for a reservation was decided by what the first try showed. */
    @Test
    void raisesTheFenceOfTheClaimThatWasSeenWhateverElse() {
        done(store.create(key, first));
        refused(store.fence(key, second), shown("", first.claimId(), 10, true));
        assertThat(seen().claim()).isEqualTo(first);
        assertThat(fence()).as("of a row that only writers have claimed").isEqualTo(RowSnapshot.NEVER);
        Claim lower = new Claim("row", UUID.randomUUID(), null, 5);
        done(store.raiseFence(key, first.claimId(), lower));
        assertThat(seen().claim()).isEqualTo(new Claim("row", lower.claimId(), first.originId(), 5));
        assertThat(fence()).isEqualTo(5);
    }

    @Test
    void raisesNoFenceOfAClaimThatAWriterHasRaisedMeanwhile() {
        done(store.fence(key, second));
        done(store.raise(key, new Claim("row", OTHER, null, 25)));
        refused(
                store.raiseFence(key, second.claimId(), new Claim("row", UUID.randomUUID(), null, 30)),
                shown("", OTHER, 0, false));
        assertThat(seen().claim().writeTs()).isEqualTo(25);
        assertThat(fence()).isEqualTo(20);
    }

    // ----

    /** The first claim, whose writer is gone. */
    private void createAndWait() {
        store = store(settings(2));
        done(store.create(key, first));
        patience().until(() -> !seen().reserved());
    }

    private SeenClaim seen() {
        return patience().await(store.read(key)).orElseThrow();
    }

    private long fence() {
        return patience().await(store.readFence(key));
    }

    private static SeenClaim free(Claim claim) {
        return new SeenClaim(claim, false, Duration.ZERO);
    }

    private static Claim withoutOrigin(Claim claim) {
        return new Claim(claim.owner(), claim.claimId(), null, claim.writeTs());
    }

    /** What a refusal shows: the columns of the statement's condition alone. */
    private static SeenClaim shown(String owner, UUID claimId, long writeTs, boolean reserved) {
        return new SeenClaim(new Claim(owner, claimId, null, writeTs), reserved, Duration.ZERO);
    }

    private void done(CompletionStage<ClaimAnswer> answer) {
        assertThat(patience().await(answer)).isEqualTo(new ClaimAnswer.Done());
    }

    private void refused(CompletionStage<ClaimAnswer> answer, @Nullable SeenClaim shown) {
        assertThat(patience().await(answer)).isEqualTo(new ClaimAnswer.Refused(shown));
    }
}
