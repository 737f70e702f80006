package io.surewrite.unique;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The table of claims: one row a value, and one for each table row that a takeover has fenced. Every write is a linearizable
 * conditional write: it goes on until it is decided or its time is over, and may come into effect even later. A stage that
 * completes exceptionally means the same as {@link ClaimAnswer.Unclear}.
 *
 * <p>Each statement that sets a {@code claim_id} counts as done if it meets that id: an earlier run of it was applied.
 */
interface ClaimStore {

    record ClaimKey(String constraint, String value) {}

    /**
     * A claim as it is to be written, or as a statement met it. Its id is new whenever it is made, raised, joined or taken; its
     * origin is the call that first made it; and no write that gives the owner the value has a timestamp above its own.
     */
    record Claim(String owner, UUID claimId, @Nullable UUID originId, long writeTs) {}

    /** A claim, and whether its writer may still be at work; for how long is known only to reads. */
    record SeenClaim(Claim claim, boolean reserved, Duration reservedFor) {

        boolean isOf(String owner) {
            return claim.owner().equals(owner);
        }
    }

    sealed interface ClaimAnswer {

        record Done() implements ClaimAnswer {}

        /** It is not in effect, because of what it met, as far as its condition names that; null if there is no such claim. */
        record Refused(@Nullable SeenClaim seen) implements ClaimAnswer {}

        record Unclear(Throwable cause) implements ClaimAnswer {}
    }

    /** Makes the claim, with a reservation, if there is none. Refused, it shows the whole claim that is there. */
    CompletionStage<ClaimAnswer> create(ClaimKey key, Claim claim);

    /**
     * Raises the owner's claim to a later timestamp under a new id, with a new reservation. Refused, it shows owner, id and
     * timestamp. The claim in the table must have its origin, unless that is null.
     */
    CompletionStage<ClaimAnswer> raise(ClaimKey key, Claim claim);

    /** Puts another id in the place of the one that was seen, so that who set that cannot withdraw the claim any more. */
    CompletionStage<ClaimAnswer> join(ClaimKey key, UUID seen, UUID claimId);

    /** Puts a claim, with a reservation, in the place of the one that was seen, if that has no reservation. */
    CompletionStage<ClaimAnswer> take(ClaimKey key, UUID seen, Claim claim);

    CompletionStage<ClaimAnswer> withdraw(ClaimKey key, UUID claimId);

    /** Removes the owner's claim if its timestamp is below the given one. Refused, it shows owner and timestamp. */
    CompletionStage<ClaimAnswer> release(ClaimKey key, String owner, long below);

    /**
     * Raises the owner's claim to the timestamp of a restoration, if it has no reservation and an earlier timestamp; makes no
     * reservation. Refused, it shows owner, id, timestamp and whether there is a reservation.
     */
    CompletionStage<ClaimAnswer> protect(ClaimKey key, Claim claim);

    /** Makes a claim without a reservation, if there is none: of a value that a row had before the constraint. */
    CompletionStage<ClaimAnswer> adopt(ClaimKey key, Claim claim);

    /**
     * Fences a row for the first time: its own claim gets this timestamp, and its fence too. Refused, it shows id, timestamp
     * and reservation of the claim that the row has.
     */
    CompletionStage<ClaimAnswer> fence(ClaimKey row, Claim claim);

    /** Raises the fence of a row, and the timestamp of its own claim with it, if that is still the one that was seen. */
    CompletionStage<ClaimAnswer> raiseFence(ClaimKey row, UUID seen, Claim claim);

    /** Looks, at quorum, with the reservation and what is left of it. */
    CompletionStage<Optional<SeenClaim>> read(ClaimKey key);

    /** Looks, linearizably, how high the row is fenced; {@link RowSnapshot#NEVER} if it is not. */
    CompletionStage<Long> readFence(ClaimKey row);
}
