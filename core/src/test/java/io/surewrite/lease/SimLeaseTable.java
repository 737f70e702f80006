package io.surewrite.lease;

import io.surewrite.lease.LeaseStore.LeaseWrite;
import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimCluster.Decision;
import io.surewrite.simulation.SimCluster.Node;
import io.surewrite.simulation.World;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One row of the lease table as Cassandra keeps it, with what the checks want to know of its past. */
class SimLeaseTable {

    private static final long NEVER = Long.MAX_VALUE;

    private final World world;
    private final SimCluster cluster;
    private final Set<UUID> everAcquired = new HashSet<>();
    private final Map<UUID, UUID> successors = new HashMap<>();
    private final Map<UUID, Long> endedAt = new HashMap<>();

    private long epoch;
    private long writeTs;
    private @Nullable UUID leaseId;
    private @Nullable String holder;
    private long goneAtSecond;
    private long writtenAt;
    private long freeAtLatest;
    private long acquiredAt;
    private long freeBefore;

    /**
     * A row as a statement meets it.
     *
     * @param epoch its epoch
     * @param leaseId its lease id, if it has not expired
     * @param holder who holds it, if the lease has not expired
     * @param seconds what is left of its time to live
     * @param writeTs the highest timestamp drawn so far, or reserved by who holds it; null where a refusal does not show it
     */
    record Row(
            long epoch,
            @Nullable UUID leaseId,
            @Nullable String holder,
            long seconds,
            @Nullable Long writeTs) {

        /** A refusal shows the columns that the condition names, and nothing else. */
        Row ofCondition(boolean namesEpoch, boolean namesWriteTs) {
            return new Row(namesEpoch ? epoch : 0, leaseId, null, 0, namesWriteTs ? writeTs : null);
        }

        @Override
        public String toString() {
            return "epoch %d, %s".formatted(epoch, leaseId == null ? "free" : shown(leaseId));
        }
    }

    SimLeaseTable(World world, SimCluster cluster) {
        this.world = world;
        this.cluster = cluster;
    }

    static String shown(UUID id) {
        return "#" + id.getLeastSignificantBits();
    }

    static String shown(Set<UUID> ids) {
        return ids.stream().map(SimLeaseTable::shown).collect(Collectors.joining(" or "));
    }

    /** {@return the lease that a node sees, or null} */
    private @Nullable UUID seenBy(Node node) {
        return leaseId != null && node.seconds(world.now()) < goneAtSecond ? leaseId : null;
    }

    Row row(Node node) {
        return seenBy(node) != null
                ? new Row(epoch, leaseId, holder, goneAtSecond - node.seconds(world.now()), writeTs)
                : new Row(epoch, null, null, 0, writeTs);
    }

    Decision<Row> acquire(Node node, LeaseWrite claim, boolean epochMatters) {
        Row row = row(node);
        if (row.leaseId() != null
                || (epochMatters && row.epoch() != claim.expectedEpoch())
                || (claim.checksFloor() && (row.epoch() == 0 || writeTs > claim.floor()))) {
            // Of a row that is not there nothing is known, and nothing shown.
            return new Decision<>(false, row.ofCondition(true, claim.checksFloor() && row.epoch() != 0));
        }
        if (!everAcquired.add(claim.leaseId())) {
            world.violate("L4: the acquisition %s was applied twice".formatted(shown(claim.leaseId())));
        }
        epoch = claim.nextEpoch();
        acquiredAt = cluster.takenAt();
        freeBefore = freeAtLatest;
        hold(node, claim);
        return new Decision<>(true, null);
    }

    Decision<Row> renew(Node node, Set<UUID> heldIds, LeaseWrite claim, long sentAt) {
        Row row = row(node);
        UUID heldId = row.leaseId();
        if (heldId == null || !heldIds.contains(heldId)) {
            return new Decision<>(false, row.ofCondition(false, false));
        }
        if (sentAt > endedAt.getOrDefault(heldId, NEVER)) {
            world.violate("L4: %s is prolonged by a renewal sent after its end".formatted(shown(heldId)));
        }
        if (!heldId.equals(claim.leaseId())) {
            successors.put(heldId, claim.leaseId());
        }
        hold(node, claim);
        return new Decision<>(true, null);
    }

    Decision<Row> release(Node node, Set<UUID> heldIds, long highest) {
        Row row = row(node);
        if (row.leaseId() == null || !heldIds.contains(row.leaseId())) {
            return new Decision<>(false, row.ofCondition(false, false));
        }
        leaseId = null;
        writeTs = highest;
        return new Decision<>(true, null);
    }

    /** A release that does not look whose lease it is. */
    Decision<Row> releaseWithoutToken(Node node, Set<UUID> heldIds) {
        Row row = row(node);
        free(row, heldIds);
        return new Decision<>(true, null);
    }

    /** A release without Paxos: the later timestamp wins, and on a tie what expires beats what does not. */
    Decision<Row> plainRelease(Node node, Set<UUID> heldIds, long timestamp) {
        if (timestamp > writtenAt) {
            free(row(node), heldIds);
        }
        return new Decision<>(true, null);
    }

    private void free(Row row, Set<UUID> heldIds) {
        if (row.leaseId() != null && !heldIds.contains(row.leaseId())) {
            world.violate("L5: the release of %s frees %s".formatted(shown(heldIds), shown(row.leaseId())));
        }
        leaseId = null;
    }

    private void hold(Node node, LeaseWrite claim) {
        leaseId = claim.leaseId();
        holder = claim.holder();
        writeTs = claim.reserved();
        goneAtSecond = node.seconds(cluster.takenAt()) + claim.ttl().toSeconds();
        // Ballots have whole milliseconds.
        writtenAt = (world.now() + node.skew()) / World.MILLIS * World.MILLIS;
        freeAtLatest = world.now() + claim.ttl().toNanos() + World.SECOND;
    }

    // ---- for the checks ----

    /** Its holder has had the answer to the release. */
    void ended(UUID id) {
        endedAt.putIfAbsent(id, world.now());
    }

    /** Whether every node sees the lease, or what has replaced it though its holder does not know yet. */
    boolean isHeldEverywhere(UUID id) {
        return cluster.nodes().stream().allMatch(node -> comesFrom(id, seenBy(node)));
    }

    /** Whether a node sees the lease, or what has replaced it though its holder does not know yet. */
    boolean isHeldAnywhere(UUID id) {
        return cluster.nodes().stream().anyMatch(node -> comesFrom(id, seenBy(node)));
    }

    /** Whether a node sees any lease. */
    boolean isHeldAnywhere() {
        return cluster.nodes().stream().anyMatch(node -> seenBy(node) != null);
    }

    private boolean comesFrom(UUID id, @Nullable UUID seen) {
        UUID next = id;
        while (next != null && !next.equals(seen)) {
            next = successors.get(next);
        }
        return next != null;
    }

    long epoch() {
        return epoch;
    }

    long now() {
        return world.now();
    }

    /** When a node took the acquisition that was applied last: its ttl begins then. */
    long acquiredAt() {
        return acquiredAt;
    }

    /** By when the name had to be free for the acquisition that was applied last. */
    long freeBeforeAtLatest() {
        return freeBefore;
    }
}
