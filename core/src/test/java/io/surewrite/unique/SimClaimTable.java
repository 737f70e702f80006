package io.surewrite.unique;

import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimCluster.Decision;
import io.surewrite.simulation.SimCluster.Node;
import io.surewrite.simulation.World;
import io.surewrite.unique.ClaimStore.Claim;
import io.surewrite.unique.ClaimStore.ClaimKey;
import io.surewrite.unique.ClaimStore.SeenClaim;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The table of claims as Cassandra keeps it: registers, and a lease that expires by the clock of whatever node looks. */
class SimClaimTable {

    private static final long LONG_AGO = -1_000_000;

    /** What a condition may name. */
    enum Column {
        OWNER,
        CLAIM_ID,
        WRITE_TS,
        LEASE
    }

    private final World world;
    private final SimCluster cluster;
    private final Map<ClaimKey, Row> rows = new LinkedHashMap<>();

    /** A claim, how high it is fenced, and the second at which its reservation is gone. */
    private record Row(Claim claim, long fence, long goneAt) {}

    SimClaimTable(World world, SimCluster cluster) {
        this.world = world;
        this.cluster = cluster;
    }

    /** Puts a claim there that is long confirmed. */
    void put(ClaimKey key, Claim claim) {
        rows.put(key, new Row(claim, RowSnapshot.NEVER, LONG_AGO));
    }

    @Nullable
    SeenClaim seen(Node node, ClaimKey key) {
        Row row = rows.get(key);
        if (row == null) {
            return null;
        }
        long left = row.goneAt() - node.seconds(world.now());
        return new SeenClaim(row.claim(), left > 0, Duration.ofSeconds(Math.max(0, Math.min(left, 3600))));
    }

    @Nullable
    String owner(ClaimKey key) {
        Row row = rows.get(key);
        return row == null ? null : row.claim().owner();
    }

    /** How high a row is fenced. */
    long fence(ClaimKey key) {
        Row row = rows.get(key);
        return row == null ? RowSnapshot.NEVER : row.fence();
    }

    // ---- the statements

    Decision<SeenClaim> create(Node node, ClaimKey key, Claim claim, int lease) {
        SeenClaim seen = seen(node, key);
        return seen == null ? put(node, key, claim, lease) : whole(seen);
    }

    Decision<SeenClaim> raise(Node node, ClaimKey key, Claim claim, int lease) {
        return when(
                node,
                key,
                Set.of(Column.OWNER, Column.CLAIM_ID, Column.WRITE_TS),
                seen -> isLower(seen, claim)
                        && (claim.originId() == null
                                || claim.originId().equals(seen.claim().originId())),
                seen -> put(node, key, ofOrigin(claim, seen), lease));
    }

    private static boolean isLower(SeenClaim seen, Claim claim) {
        return seen.isOf(claim.owner()) && seen.claim().writeTs() < claim.writeTs() && !hasId(seen, claim.claimId());
    }

    private static boolean hasId(SeenClaim seen, UUID id) {
        return seen.claim().claimId().equals(id);
    }

    Decision<SeenClaim> join(Node node, ClaimKey key, UUID old, UUID id) {
        return when(
                node,
                key,
                Set.of(Column.CLAIM_ID),
                seen -> hasId(seen, old),
                seen -> set(
                        key,
                        ofOrigin(
                                new Claim(
                                        seen.claim().owner(),
                                        id,
                                        null,
                                        seen.claim().writeTs()),
                                seen)));
    }

    Decision<SeenClaim> take(Node node, ClaimKey key, UUID old, Claim claim, int lease) {
        return when(
                node,
                key,
                Set.of(Column.CLAIM_ID, Column.LEASE),
                seen -> hasId(seen, old) && !seen.reserved(),
                seen -> put(node, key, claim, lease));
    }

    /** Makes no reservation: the lease is for a planted bug. */
    Decision<SeenClaim> protect(Node node, ClaimKey key, Claim claim, int lease) {
        return when(
                node,
                key,
                Set.of(Column.values()),
                seen -> isLower(seen, claim) && !seen.reserved(),
                seen -> set(key, ofOrigin(claim, seen)));
    }

    Decision<SeenClaim> adopt(Node node, ClaimKey key, Claim claim) {
        SeenClaim seen = seen(node, key);
        return seen == null ? set(key, new Claim(claim.owner(), claim.claimId(), null, claim.writeTs())) : whole(seen);
    }

    Decision<SeenClaim> fence(Node node, ClaimKey key, Claim claim) {
        SeenClaim seen = seen(node, key);
        return seen == null
                ? fenced(key, claim)
                : new Decision<>(false, shown(seen, Set.of(Column.CLAIM_ID, Column.WRITE_TS, Column.LEASE)));
    }

    Decision<SeenClaim> raiseFence(Node node, ClaimKey key, UUID old, Claim claim) {
        return when(
                node,
                key,
                Set.of(Column.CLAIM_ID),
                seen -> hasId(seen, old),
                seen -> fenced(key, ofOrigin(claim, seen)));
    }

    Decision<SeenClaim> withdraw(Node node, ClaimKey key, UUID id) {
        return when(node, key, Set.of(Column.CLAIM_ID), seen -> hasId(seen, id), seen -> remove(key));
    }

    Decision<SeenClaim> release(Node node, ClaimKey key, String owner, long below) {
        return when(
                node,
                key,
                Set.of(Column.OWNER, Column.WRITE_TS),
                seen -> seen.isOf(owner) && seen.claim().writeTs() < below,
                seen -> remove(key));
    }

    private Decision<SeenClaim> remove(ClaimKey key) {
        rows.remove(key);
        return new Decision<>(true, null);
    }

    private Decision<SeenClaim> fenced(ClaimKey key, Claim claim) {
        rows.put(key, new Row(claim, claim.writeTs(), LONG_AGO));
        return new Decision<>(true, null);
    }

    /** Leaves fence and reservation as they are. */
    private Decision<SeenClaim> set(ClaimKey key, Claim claim) {
        Row row = rows.get(key);
        rows.put(
                key,
                new Row(claim, row == null ? RowSnapshot.NEVER : row.fence(), row == null ? LONG_AGO : row.goneAt()));
        return new Decision<>(true, null);
    }

    private Decision<SeenClaim> when(
            Node node,
            ClaimKey key,
            Set<Column> named,
            Predicate<SeenClaim> condition,
            Function<SeenClaim, Decision<SeenClaim>> then) {
        SeenClaim seen = seen(node, key);
        if (seen != null && condition.test(seen)) {
            return then.apply(seen);
        }
        return new Decision<>(false, seen == null ? null : shown(seen, named));
    }

    /** A refusal shows the columns that the condition names, and nothing else. */
    private static SeenClaim shown(SeenClaim seen, Set<Column> named) {
        Claim claim = seen.claim();
        return new SeenClaim(
                new Claim(
                        named.contains(Column.OWNER) ? claim.owner() : "",
                        named.contains(Column.CLAIM_ID) ? claim.claimId() : new UUID(0, 0),
                        null,
                        named.contains(Column.WRITE_TS) ? claim.writeTs() : 0),
                named.contains(Column.LEASE) && seen.reserved(),
                Duration.ZERO);
    }

    /** What is inserted only if there is nothing shows the whole row, without what is left of its reservation. */
    private static Decision<SeenClaim> whole(SeenClaim seen) {
        return new Decision<>(false, new SeenClaim(seen.claim(), seen.reserved(), Duration.ZERO));
    }

    Decision<SeenClaim> put(Node node, ClaimKey key, Claim claim, int lease) {
        rows.put(key, new Row(claim, fence(key), node.seconds(cluster.takenAt()) + lease));
        return new Decision<>(true, null);
    }

    private static Claim ofOrigin(Claim claim, SeenClaim seen) {
        return new Claim(claim.owner(), claim.claimId(), seen.claim().originId(), claim.writeTs());
    }

    // ---- for the checks and the planted bugs ----

    /** Until when the highest timestamp of a claim lies ahead of a clock that is right. */
    long highest() {
        return rows.values().stream()
                .mapToLong(row -> (row.claim().writeTs() - SimUniqueTime.EPOCH_MICROS) * 1_000)
                .max()
                .orElse(0);
    }

    /** Whether a row claims a value of that text. */
    boolean isOwner(String value, String owner) {
        return rows.entrySet().stream()
                .anyMatch(entry -> entry.getKey().value().equals(value)
                        && entry.getValue().claim().owner().equals(owner));
    }

    /** Removes the whole claim when its lease is over, as a plain TTL would. */
    void expire(Node node, ClaimKey key) {
        Row row = rows.get(key);
        if (row != null && row.goneAt() != LONG_AGO && row.goneAt() <= node.seconds(world.now())) {
            rows.remove(key);
        }
    }
}
