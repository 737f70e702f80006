package io.surewrite.unique;

import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimCluster.Decision;
import io.surewrite.simulation.SimCluster.Node;
import io.surewrite.simulation.World;
import io.surewrite.unique.ClaimStore.Claim;
import io.surewrite.unique.ClaimStore.ClaimKey;
import io.surewrite.unique.ClaimStore.SeenClaim;
import io.surewrite.unique.UniqueRules.Rule;
import java.time.Duration;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** A bug that the simulation must notice: a rule that is broken, a statement on claims or a write of rows that is wrong. */
enum PlantedBug {
    /** Nothing: the code as it ships. */
    NOTHING(),

    // ---- the row's write
    NO_LOOK_AT_THE_FENCE(Rule.LATE_WRITES_READ_THE_FENCE),
    DEADLINE_FROM_THE_SEND(Rule.THE_DEADLINE_COUNTS_FROM_THE_DRAW),
    STAMPED_AGAIN(Rule.ONE_TIMESTAMP_FOR_ALL_SENDS),
    NOT_DONE_ALTHOUGH_SENT(Rule.UNKNOWN_ONCE_SENT),
    LATE_DELETION_IS_DONE(Rule.LATE_DELETIONS_READ_THE_FENCE),
    RELEASED_BEFORE_THE_WRITE(Rule.RELEASED_AFTER_THE_WRITE),
    RELEASED_WHATEVER_THE_TIMESTAMP(Rule.RELEASED_BELOW_THE_TIMESTAMP),
    ONLY_OTHER_COLUMNS(),
    ROW_WITHOUT_THE_PINNED_TIMESTAMP(),

    // ---- claims
    RAISED_DOWN(),
    OLD_ID_WHEN_RAISED(),
    UNCHANGED_VALUE_NOT_RAISED(),
    PLAIN_TTL_ON_THE_CLAIM(),
    NO_JOIN(Rule.JOINS_THE_CLAIMS_OF_ITS_ROW),
    ONE_ID_FOR_ALL_CLAIMS(Rule.OWN_ID_FOR_WHAT_WAS_CREATED),
    WITHDRAWS_WHAT_IT_DID_NOT_CREATE(Rule.WITHDRAWS_ONLY_WHAT_IT_CREATED),
    NO_ORIGIN(Rule.INSERTS_COMPARE_ORIGINS),
    NO_CLAIM_OF_THE_ROW(Rule.WRITERS_CLAIM_THE_ROW),

    // ---- takeovers
    /** Either would do alone, as would the next. */
    NO_WAIT_FOR_THE_RESERVATION(Rule.TAKEOVERS_WAIT_FOR_THE_RESERVATION, Rule.TAKEOVERS_WAIT_FOR_THE_CLOCK),
    KILLS_AHEAD_OF_THE_CLOCK(Rule.TAKEOVERS_WAIT_FOR_THE_CLOCK),
    WAITS_FOR_ITS_OWN_TIMESTAMPS(),
    DEAD_BY_AN_OLDER_PART(Rule.ONLY_NEWER_PARTS_PROVE_DEATH),
    TAKEN_WHATEVER_ITS_ID(),
    NO_FENCE(Rule.TAKEOVERS_FENCE_THE_ROW),
    FENCE_OF_ANOTHER_TAKEOVER(Rule.ONE_TIMESTAMP_FOR_EACH_TAKEOVER),
    FENCE_AFTER_THE_READ(Rule.READS_AFTER_THE_FENCE),
    NO_KILL(Rule.TAKEOVERS_KILL_LATE_WRITES),
    DELETES_ONE_TICK_EARLY(Rule.DELETES_AT_THE_CLAIMS_TIMESTAMP),
    RESTORED_WITHOUT_PROTECTION(Rule.RESTORED_VALUES_ARE_PROTECTED),
    PROTECTION_DOES_NOT_WAIT(Rule.TAKEOVERS_WAIT_FOR_THE_CLOCK),
    RESTORED_IN_PART(),

    /** Shows in tables with sets alone. */
    RESTORED_ON_TOP_OF_A_SET();

    private final @Nullable Rule broken;
    private final @Nullable Rule alsoBroken;

    PlantedBug() {
        this(null, null);
    }

    PlantedBug(Rule broken) {
        this(broken, null);
    }

    PlantedBug(@Nullable Rule broken, @Nullable Rule alsoBroken) {
        this.broken = broken;
        this.alsoBroken = alsoBroken;
    }

    UniqueRules rules() {
        return new UniqueRules() {
            @Override
            boolean keeps(Rule rule) {
                return rule != broken && rule != alsoBroken;
            }
        };
    }

    /** What becomes of the pinned timestamps of rows. */
    LongUnaryOperator timestamps(LongSupplier now) {
        return this == ROW_WITHOUT_THE_PINNED_TIMESTAMP ? pinned -> now.getAsLong() : pinned -> pinned;
    }

    SimClaimTable claims(World world, SimCluster cluster) {
        return switch (this) {
            case RAISED_DOWN, OLD_ID_WHEN_RAISED, UNCHANGED_VALUE_NOT_RAISED ->
                new SimClaimTable(world, cluster) {
                    @Override
                    Decision<SeenClaim> raise(Node node, ClaimKey key, Claim claim, int lease) {
                        SeenClaim seen = seen(node, key);
                        if (seen == null || !seen.isOf(claim.owner())) {
                            return super.raise(node, key, claim, lease);
                        }
                        Claim was = seen.claim();
                        boolean down = PlantedBug.this == RAISED_DOWN;
                        UUID id = down ? claim.claimId() : was.claimId();
                        Claim raised = new Claim(claim.owner(), id, was.originId(), claim.writeTs());
                        return PlantedBug.this == UNCHANGED_VALUE_NOT_RAISED
                                ? new Decision<>(true, null)
                                : down || was.writeTs() < claim.writeTs()
                                        ? put(node, key, raised, lease)
                                        : new Decision<>(false, seen);
                    }
                };
            case TAKEN_WHATEVER_ITS_ID ->
                new SimClaimTable(world, cluster) {
                    @Override
                    Decision<SeenClaim> take(Node node, ClaimKey key, UUID old, Claim claim, int lease) {
                        SeenClaim seen = seen(node, key);
                        return seen == null || seen.reserved()
                                ? super.take(node, key, old, claim, lease)
                                : put(node, key, claim, lease);
                    }
                };
            case PROTECTION_DOES_NOT_WAIT ->
                new SimClaimTable(world, cluster) {
                    @Override
                    Decision<SeenClaim> protect(Node node, ClaimKey key, Claim claim, int lease) {
                        SeenClaim seen = seen(node, key);
                        return seen == null || !seen.isOf(claim.owner())
                                ? super.protect(node, key, claim, lease)
                                : seen.claim().writeTs() < claim.writeTs()
                                        ? put(node, key, claim, lease)
                                        : new Decision<>(false, new SeenClaim(seen.claim(), false, Duration.ZERO));
                    }
                };
            case PLAIN_TTL_ON_THE_CLAIM ->
                new SimClaimTable(world, cluster) {
                    @Override
                    Decision<SeenClaim> create(Node node, ClaimKey key, Claim claim, int lease) {
                        expire(node, key);
                        return super.create(node, key, claim, lease);
                    }
                };
            default -> new SimClaimTable(world, cluster);
        };
    }
}
