package io.surewrite.lease;

import io.surewrite.lease.LeaseStore.LeaseAnswer;
import io.surewrite.lease.LeaseStore.LeaseWrite;
import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimProcess;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bug, planted by exchanging a part of the protocol, that the simulation must notice. Each rule and statement below says
 * by which bug it is broken.
 */
enum PlantedLeaseBug {
    /** Nothing: the code as it ships. */
    NOTHING,
    RELEASE_WITHOUT_TOKEN,
    PLAIN_WRITE_RELEASE,
    DEADLINE_FROM_THE_ANSWER,
    RENEWAL_AFTER_RELEASE,
    UNKNOWN_RENEWAL_EXTENDS,
    NO_EPOCH,
    HAND_OVER_WITHOUT_NEW_TOKEN,
    TOKENS_NOT_RESERVED,
    NO_LIMIT_OF_HAND_OVERS,
    LEASE_ID_USED_AGAIN,
    RELEASE_FORGETS_UNCONFIRMED,
    RENEWAL_KEEPS_ITS_ID,
    NO_MARGIN_FOR_THE_CLOCKS,
    /** A caller learns from an answer to what was sent before it came, and hears of a holder that is long gone. */
    ANSWERS_FROM_BEFORE_THE_CALL,

    /** Of a lease that is held at least for a while, the name is closed only as long as the work takes. */
    HELD_AT_LEAST_FOR_THE_WORK,

    /** Of a lease that is held at least for a while, the row expires before, if its process dies. */
    HELD_AT_LEAST_WHILE_ALIVE,

    /** A lease that is held at least for a while goes to the next caller of its process before that is over. */
    HANDED_OVER_WHILE_HELD_AT_LEAST,

    /** The timestamp is drawn before the lease is had. */
    PIN_BEFORE_THE_LEASE,

    /** A release leaves nothing of what was drawn. */
    NO_CARRY_OVER,

    /** The row does not say what a holder may draw until it ends by itself. */
    NOTHING_RESERVED,

    /** An acquisition does not look at what earlier holders left. */
    FLOOR_NOT_CHECKED,

    /** Attempts begin, and success is reported, whatever became of the lease. */
    NO_LOOK_AT_THE_LEASE;

    SimLeaseStore store(SimProcess process, SimCluster cluster, SimLeaseTable table) {
        return new BrokenStore(process, cluster, table);
    }

    DeadlinesAndTokens rules(LeaseSettings settings, int handOverLimit) {
        return new BrokenRules(settings, handOverLimit);
    }

    Supplier<UUID> ids(Supplier<UUID> fresh) {
        if (this != LEASE_ID_USED_AGAIN) {
            return fresh;
        }
        UUID always = fresh.get();
        return () -> always;
    }

    private final class BrokenStore extends SimLeaseStore {

        private LeaseWrite last;

        BrokenStore(SimProcess process, SimCluster cluster, SimLeaseTable table) {
            super(process, cluster, table);
        }

        @Override
        public CompletionStage<LeaseAnswer> acquire(LeaseWrite claim, Duration timeout) {
            last = claim;
            return PlantedLeaseBug.this == NO_EPOCH
                    ? settle(
                            () -> "acquire without epoch",
                            node -> table.acquire(node, claim, false),
                            claim.leaseId(),
                            timeout)
                    : super.acquire(broken(claim), timeout);
        }

        @Override
        public CompletionStage<LeaseAnswer> renew(Set<UUID> heldIds, LeaseWrite claim, Duration timeout) {
            return super.renew(heldIds, broken(claim), timeout);
        }

        private LeaseWrite broken(LeaseWrite claim) {
            return new LeaseWrite(
                    claim.name(),
                    claim.leaseId(),
                    claim.expectedEpoch(),
                    claim.nextEpoch(),
                    claim.holder(),
                    claim.ttl(),
                    claim.floor(),
                    claim.checksFloor() && PlantedLeaseBug.this != FLOOR_NOT_CHECKED,
                    PlantedLeaseBug.this == NOTHING_RESERVED ? 1 : claim.reserved());
        }

        @Override
        public CompletionStage<LeaseAnswer> release(String name, Set<UUID> heldIds, long writeTs, Duration timeout) {
            long now = table.now();
            return switch (PlantedLeaseBug.this) {
                case RELEASE_WITHOUT_TOKEN ->
                    settle(
                            () -> "release without token",
                            node -> table.releaseWithoutToken(node, heldIds),
                            null,
                            timeout);
                case PLAIN_WRITE_RELEASE ->
                    settle(() -> "plain release", node -> table.plainRelease(node, heldIds, now), null, timeout);
                case RELEASE_FORGETS_UNCONFIRMED ->
                    super.release(name, Set.of(List.copyOf(heldIds).get(heldIds.size() - 1)), writeTs, timeout);
                case NO_CARRY_OVER -> super.release(name, heldIds, 1, timeout);
                case RENEWAL_AFTER_RELEASE -> {
                    process.after(
                            timeout.toNanos(),
                            () -> renew(
                                    heldIds,
                                    last.replacedBy(new UUID(1, table.now()), last.ttl(), last.reserved()),
                                    timeout));
                    yield super.release(name, heldIds, writeTs, timeout);
                }
                default -> super.release(name, heldIds, writeTs, timeout);
            };
        }
    }

    private final class BrokenRules extends DeadlinesAndTokens {

        private final int handOverLimit;

        BrokenRules(LeaseSettings settings, int handOverLimit) {
            super(settings);
            this.handOverLimit = handOverLimit;
        }

        @Override
        int handOverLimit() {
            return handOverLimit;
        }

        @Override
        long usable(Duration ttl) {
            return super.usable(ttl)
                    + (PlantedLeaseBug.this == NO_MARGIN_FOR_THE_CLOCKS
                            ? settings.skewMargin().toNanos()
                            : 0);
        }

        @Override
        boolean tells(long look, long joined) {
            return PlantedLeaseBug.this == ANSWERS_FROM_BEFORE_THE_CALL || super.tells(look, joined);
        }

        @Override
        long nextEpoch(long epoch) {
            return PlantedLeaseBug.this == TOKENS_NOT_RESERVED ? epoch + 1 : super.nextEpoch(epoch);
        }

        @Override
        long firstToken(long nextEpoch) {
            return PlantedLeaseBug.this == TOKENS_NOT_RESERVED ? nextEpoch : super.firstToken(nextEpoch);
        }

        @Override
        long tokenAfterHandOver(long token) {
            return PlantedLeaseBug.this == HAND_OVER_WITHOUT_NEW_TOKEN ? token : super.tokenAfterHandOver(token);
        }

        @Override
        Duration closedFor(@Nullable Duration holdAtLeast, long heldFor) {
            return PlantedLeaseBug.this == HELD_AT_LEAST_FOR_THE_WORK
                    ? Duration.ZERO
                    : super.closedFor(holdAtLeast, heldFor);
        }

        @Override
        Duration written(Duration ttl, Duration closedFor) {
            return PlantedLeaseBug.this == HELD_AT_LEAST_WHILE_ALIVE ? ttl : super.written(ttl, closedFor);
        }

        @Override
        boolean handsOver(LeaseRequest request) {
            return PlantedLeaseBug.this == HANDED_OVER_WHILE_HELD_AT_LEAST || super.handsOver(request);
        }

        @Override
        boolean mayHandOver(int handOversSoFar) {
            return PlantedLeaseBug.this == NO_LIMIT_OF_HAND_OVERS || super.mayHandOver(handOversSoFar);
        }

        @Override
        long deadline(long sentAt, long answeredAt, Duration ttl) {
            return super.deadline(
                    PlantedLeaseBug.this == DEADLINE_FROM_THE_ANSWER ? answeredAt : sentAt, answeredAt, ttl);
        }

        @Override
        long deadlineAfterUnclear(long deadline, long sentAt, Duration ttl) {
            return PlantedLeaseBug.this == UNKNOWN_RENEWAL_EXTENDS
                    ? deadline(sentAt, sentAt, ttl)
                    : super.deadlineAfterUnclear(deadline, sentAt, ttl);
        }

        @Override
        UUID idOfRenewal(UUID held, Supplier<UUID> fresh) {
            return PlantedLeaseBug.this == RENEWAL_KEEPS_ITS_ID ? held : super.idOfRenewal(held, fresh);
        }
    }
}
