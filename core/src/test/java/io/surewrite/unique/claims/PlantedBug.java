package io.surewrite.unique.claims;

import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimProcess;
import io.surewrite.unique.UniqueSettings;
import io.surewrite.unique.claims.ClaimStore.Claim;
import io.surewrite.unique.claims.ClaimStore.ClaimAnswer;
import io.surewrite.unique.claims.ClaimStore.ClaimKey;
import io.surewrite.unique.claims.SimClaimTable.Column;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/**
 * A bug, planted by exchanging one rule or one statement, that the simulation must notice. Each method below says by which
 * bug it is broken.
 */
enum PlantedBug {
    /** Nothing: the code as it ships. */
    NOTHING,
    OLD_ID_WHEN_CLAIMED_AGAIN,
    CLAIMED_AGAIN_BELOW_THE_SEEN_TIMESTAMP,
    ABANDONS_WHAT_IT_DID_NOT_CREATE,
    RELEASE_BY_ID_AND_LEASE,

    /** Either alone would do for those who save the value itself. */
    NO_MARK_AND_NO_NOTE_BEFORE_THE_FENCE,
    NO_LOOK_AT_THE_CLAIM,
    NO_LOOK_AT_THE_ROW,

    /** Shows where rows were there before the constraint. */
    TRUSTS_A_CLAIM_THAT_MAY_GO,
    DELETION_WITHOUT_A_NOTE,
    RESTORED_WITHOUT_CLAIMING_AGAIN,
    SUCCESS_BEFORE_THE_RELEASE,
    NO_READ_BACK,
    NO_FENCE,
    FENCE_ONE_TICK_EARLY,
    NO_DEADLINE,
    NO_ORIGIN,
    NO_CLAIM_OF_THE_ROW,
    PLAIN_TTL_ON_THE_CLAIM,

    /** Both show where calls wait for each other's values. */
    GIVES_BACK_WHAT_THE_ROW_HAS,
    OLD_ID_AFTER_GIVING_BACK,

    /** Shows in tables with sets alone. */
    RESTORED_ON_TOP_OF_A_SET,
    ROW_WITHOUT_THE_PINNED_TIMESTAMP;

    /** What becomes of the pinned timestamps of rows. */
    LongUnaryOperator timestamps(LongSupplier now) {
        return this == ROW_WITHOUT_THE_PINNED_TIMESTAMP ? pinned -> now.getAsLong() : pinned -> pinned;
    }

    ClaimStore store(SimProcess process, SimCluster cluster, SimClaimTable table, UniqueSettings settings) {
        return switch (this) {
            case RELEASE_BY_ID_AND_LEASE ->
                new SimClaimStore(process, cluster, table, settings) {
                    @Override
                    public CompletionStage<ClaimAnswer> release(ClaimKey key, String owner, long below) {
                        return read(key).thenCompose(seen -> {
                            UUID id = seen.map(found -> found.claim().claimId()).orElse(new UUID(0, 0));
                            return settle(
                                    () -> "release by id and lease " + id,
                                    node -> table.removeIf(
                                            node,
                                            key,
                                            Set.of(Column.OWNER, Column.WRITE_TS),
                                            found -> found.isOf(owner)
                                                    && found.claim().claimId().equals(id)
                                                    && !found.leased()),
                                    found -> false);
                        });
                    }
                };
            case PLAIN_TTL_ON_THE_CLAIM ->
                new SimClaimStore(process, cluster, table, settings) {
                    @Override
                    public CompletionStage<ClaimAnswer> create(ClaimKey key, Claim claim) {
                        return settle(
                                () -> "create with a plain ttl " + key,
                                node -> {
                                    table.expire(node, key);
                                    return table.create(node, key, claim, lease);
                                },
                                seen -> seen.claim().claimId().equals(claim.claimId()));
                    }
                };
            default -> new SimClaimStore(process, cluster, table, settings);
        };
    }

    UniqueRules rules(UniqueSettings settings) {
        return new Broken(settings);
    }

    private final class Broken extends UniqueRules {

        Broken(UniqueSettings settings) {
            super(settings);
        }

        private boolean unless(PlantedBug bug, boolean rule) {
            return PlantedBug.this != bug && rule;
        }

        @Override
        UUID idForClaimingAgain(UUID old, Supplier<UUID> ids) {
            return PlantedBug.this == OLD_ID_WHEN_CLAIMED_AGAIN ? old : super.idForClaimingAgain(old, ids);
        }

        @Override
        boolean mustRiseAbove(long seen, long timestamp) {
            return unless(CLAIMED_AGAIN_BELOW_THE_SEEN_TIMESTAMP, super.mustRiseAbove(seen, timestamp));
        }

        @Override
        boolean mayAbandon(boolean createdByThisCall, boolean rowSent) {
            return PlantedBug.this == ABANDONS_WHAT_IT_DID_NOT_CREATE || super.mayAbandon(createdByThisCall, rowSent);
        }

        @Override
        boolean mayGiveBack(boolean createdByThisCall, boolean rowSent) {
            return PlantedBug.this == GIVES_BACK_WHAT_THE_ROW_HAS || super.mayGiveBack(createdByThisCall, rowSent);
        }

        @Override
        UUID idAfterGivingBack(UUID old, Supplier<UUID> ids) {
            return PlantedBug.this == OLD_ID_AFTER_GIVING_BACK ? old : super.idAfterGivingBack(old, ids);
        }

        @Override
        boolean marksBeforeFence() {
            return unless(NO_MARK_AND_NO_NOTE_BEFORE_THE_FENCE, super.marksBeforeFence());
        }

        @Override
        boolean looksAtClaims() {
            return unless(NO_LOOK_AT_THE_CLAIM, super.looksAtClaims());
        }

        @Override
        boolean stays(long claimed, long written) {
            return PlantedBug.this == TRUSTS_A_CLAIM_THAT_MAY_GO || super.stays(claimed, written);
        }

        @Override
        boolean looksAtTheRow() {
            return unless(NO_LOOK_AT_THE_ROW, super.looksAtTheRow());
        }

        @Override
        boolean notesDeletions() {
            return unless(
                    DELETION_WITHOUT_A_NOTE, unless(NO_MARK_AND_NO_NOTE_BEFORE_THE_FENCE, super.notesDeletions()));
        }

        @Override
        boolean protectsRestoredValues() {
            return unless(RESTORED_WITHOUT_CLAIMING_AGAIN, super.protectsRestoredValues());
        }

        @Override
        boolean heedsOvertakenRelease() {
            return unless(SUCCESS_BEFORE_THE_RELEASE, super.heedsOvertakenRelease());
        }

        @Override
        boolean readsBack() {
            return unless(NO_READ_BACK, super.readsBack());
        }

        @Override
        boolean fences() {
            return unless(NO_FENCE, super.fences());
        }

        @Override
        long fenceOf(long claimedTimestamp) {
            return super.fenceOf(claimedTimestamp) - (PlantedBug.this == FENCE_ONE_TICK_EARLY ? 1 : 0);
        }

        @Override
        boolean isLate(long now, long deadline) {
            return unless(NO_DEADLINE, super.isLate(now, deadline));
        }

        @Override
        boolean comparesOrigins() {
            return unless(NO_ORIGIN, super.comparesOrigins());
        }

        @Override
        boolean claimsRows() {
            return unless(NO_CLAIM_OF_THE_ROW, super.claimsRows());
        }
    }
}
