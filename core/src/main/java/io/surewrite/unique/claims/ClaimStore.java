package io.surewrite.unique.claims;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The table of claims: one row a value, and on each row linearizable conditional writes. Every write goes on until it is
 * decided or its time is over, and may come into effect even later. A stage that completes exceptionally means the same
 * as {@link ClaimAnswer.Unclear}.
 */
interface ClaimStore {

    /**
     * Which value of which constraint.
     *
     * @param constraint the constraint's name
     * @param value the value, encoded
     */
    record ClaimKey(String constraint, String value) {}

    /**
     * A claim as it is to be written, or as a statement met it.
     *
     * @param owner the canonical primary key of the row that may have the value
     * @param claimId new whenever the claim is made or made again
     * @param originId the call that first made it; null where a rejected statement did not show it
     * @param writeTs no write that gives the owner the value has a later timestamp
     */
    record Claim(String owner, UUID claimId, @Nullable UUID originId, long writeTs) {}

    /**
     * A row of the table of claims.
     *
     * @param claim the owner of the value
     * @param contested whether another process is about to take it over
     * @param leased whether its writer may still be at work
     * @param leaseLeft how long at most; known only to reads
     */
    record SeenClaim(Claim claim, boolean contested, boolean leased, Duration leaseLeft) {

        SeenClaim(Claim claim, boolean contested, boolean leased) {
            this(claim, contested, leased, Duration.ZERO);
        }

        boolean isOf(String owner) {
            return claim.owner().equals(owner);
        }
    }

    /** What became of one conditional write. */
    sealed interface ClaimAnswer {

        /** It is in effect. */
        record Done() implements ClaimAnswer {}

        /**
         * It is not in effect: the claim was another.
         *
         * @param seen what it met, as far as the statement's condition names it; null if there is no such claim
         */
        record Refused(@Nullable SeenClaim seen) implements ClaimAnswer {}

        /**
         * It may be in effect, or come into effect later.
         *
         * @param cause the last failure
         */
        record Unclear(Throwable cause) implements ClaimAnswer {}
    }

    /** Makes the claim, under a lease, if there is none. Refused, it shows the whole claim that is there. */
    CompletionStage<ClaimAnswer> create(ClaimKey key, Claim claim);

    /**
     * Puts a claim, under a new lease and uncontested, in the place of exactly the one that was seen. Refused, it shows
     * the claim that is there without its lease.
     */
    CompletionStage<ClaimAnswer> replace(ClaimKey key, Claim seen, Claim claim);

    /**
     * Marks the claim that was seen as contested, under a new id and a short lease, if it has no lease any more. Its
     * owner and timestamp stay.
     */
    CompletionStage<ClaimAnswer> mark(ClaimKey key, Claim seen, UUID markId);

    /** Takes a mark or a protection back: the claim stays its owner's, uncontested and without a lease. */
    CompletionStage<ClaimAnswer> settle(ClaimKey key, UUID claimId);

    /**
     * Makes the claim again for its owner, under a new lease, if it is still the owner's, has no lease, and an earlier
     * timestamp. Refused, it shows the claim that is there and whether it has a lease.
     */
    CompletionStage<ClaimAnswer> protect(ClaimKey key, Claim claim);

    /** Makes a claim without a lease, if there is none. Refused, it shows the whole claim that is there. */
    CompletionStage<ClaimAnswer> note(ClaimKey key, Claim claim);

    /** As {@link #protect}, but without a new lease. */
    CompletionStage<ClaimAnswer> raise(ClaimKey key, Claim claim);

    /** Removes the claim with this id. */
    CompletionStage<ClaimAnswer> abandon(ClaimKey key, UUID claimId);

    /**
     * Removes the owner's claim if its timestamp is below the given one. Refused, it shows owner and timestamp.
     */
    CompletionStage<ClaimAnswer> release(ClaimKey key, String owner, long below);

    /** The same table, whose reads go to another node than the one that a failure came from, where there is one. */
    default ClaimStore elsewhere(Throwable failure) {
        return this;
    }

    /** Looks, at quorum, with the lease and what is left of it. */
    CompletionStage<Optional<SeenClaim>> read(ClaimKey key);
}
