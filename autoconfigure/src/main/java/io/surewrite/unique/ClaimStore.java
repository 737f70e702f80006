package io.surewrite.unique;

import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * The table of claims: one row a value, and on each row linearizable conditional writes. Every write goes on until it is
 * decided or its time is over, and may come into effect even later. A stage that completes exceptionally means the same
 * as {@link ClaimAnswer.Unclear}.
 */
interface ClaimStore {

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
