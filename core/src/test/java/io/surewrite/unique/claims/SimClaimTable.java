package io.surewrite.unique.claims;

import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimCluster.Decision;
import io.surewrite.simulation.SimCluster.Node;
import io.surewrite.simulation.World;
import io.surewrite.unique.claims.ClaimStore.Claim;
import io.surewrite.unique.claims.ClaimStore.ClaimKey;
import io.surewrite.unique.claims.ClaimStore.SeenClaim;
import java.time.Duration;
import java.util.HashMap;
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

    private static final Set<Column> OF_PROTECTIONS =
            Set.of(Column.OWNER, Column.CLAIM_ID, Column.WRITE_TS, Column.LEASE);

    private final World world;
    private final SimCluster cluster;
    private final Map<ClaimKey, Row> rows = new LinkedHashMap<>();
    private final Map<ClaimKey, Long> lastWrite = new HashMap<>();

    /** A claim and the second at which its lease is gone. */
    private record Row(Claim claim, boolean contested, long goneAt) {}

    SimClaimTable(World world, SimCluster cluster) {
        this.world = world;
        this.cluster = cluster;
    }

    /** Puts a claim there that is long confirmed. */
    void put(ClaimKey key, Claim claim) {
        rows.put(key, new Row(claim, false, LONG_AGO));
    }

    @Nullable
    SeenClaim seen(Node node, ClaimKey key) {
        Row row = rows.get(key);
        if (row == null) {
            return null;
        }
        long left = row.goneAt() - node.seconds(world.now());
        return new SeenClaim(
                row.claim(), row.contested(), left > 0, Duration.ofSeconds(Math.max(0, Math.min(left, 3600))));
    }

    @Nullable
    String owner(ClaimKey key) {
        Row row = rows.get(key);
        return row == null ? null : row.claim().owner();
    }

    Decision<SeenClaim> create(Node node, ClaimKey key, Claim claim, int lease) {
        SeenClaim seen = seen(node, key);
        return seen == null ? put(node, key, claim, false, lease) : whole(seen);
    }

    Decision<SeenClaim> replace(Node node, ClaimKey key, Claim old, Claim claim, int lease) {
        return when(
                node,
                key,
                Set.of(Column.OWNER, Column.CLAIM_ID, Column.WRITE_TS),
                seen -> seen.claim().claimId().equals(old.claimId())
                        && seen.isOf(old.owner())
                        && seen.claim().writeTs() == old.writeTs(),
                seen -> put(node, key, withOrigin(claim, seen.claim()), false, lease));
    }

    Decision<SeenClaim> mark(Node node, ClaimKey key, Claim old, UUID id, int lease) {
        return when(
                node,
                key,
                Set.of(Column.CLAIM_ID, Column.LEASE),
                seen -> seen.claim().claimId().equals(old.claimId()) && !seen.leased(),
                seen -> {
                    Claim was = seen.claim();
                    return put(node, key, new Claim(was.owner(), id, was.originId(), was.writeTs()), true, lease);
                });
    }

    Decision<SeenClaim> settle(Node node, ClaimKey key, UUID id) {
        return when(
                node,
                key,
                Set.of(Column.CLAIM_ID),
                seen -> seen.claim().claimId().equals(id),
                seen -> {
                    rows.put(key, new Row(seen.claim(), false, LONG_AGO));
                    return new Decision<>(true, null);
                });
    }

    Decision<SeenClaim> protect(Node node, ClaimKey key, Claim claim, int lease) {
        return when(
                node,
                key,
                OF_PROTECTIONS,
                seen -> isFreeBelow(seen, claim),
                seen -> put(node, key, ofOrigin(claim, seen.claim().originId()), false, lease));
    }

    private static boolean isFreeBelow(SeenClaim seen, Claim claim) {
        return seen.isOf(claim.owner()) && !seen.leased() && seen.claim().writeTs() < claim.writeTs();
    }

    Decision<SeenClaim> note(Node node, ClaimKey key, Claim claim) {
        SeenClaim seen = seen(node, key);
        return seen == null ? putWithoutLease(key, ofOrigin(claim, null), false) : whole(seen);
    }

    Decision<SeenClaim> raise(Node node, ClaimKey key, Claim claim) {
        return when(
                node,
                key,
                OF_PROTECTIONS,
                seen -> isFreeBelow(seen, claim),
                seen -> putWithoutLease(key, ofOrigin(claim, seen.claim().originId()), seen.contested()));
    }

    private Decision<SeenClaim> putWithoutLease(ClaimKey key, Claim claim, boolean contested) {
        rows.put(key, new Row(claim, contested, LONG_AGO));
        lastWrite.put(key, world.now());
        return new Decision<>(true, null);
    }

    Decision<SeenClaim> removeIf(Node node, ClaimKey key, Set<Column> named, Predicate<SeenClaim> condition) {
        return when(node, key, named, condition, seen -> {
            rows.remove(key);
            lastWrite.put(key, world.now());
            return new Decision<>(true, null);
        });
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
                false,
                named.contains(Column.LEASE) && seen.leased());
    }

    /** What is inserted only if there is nothing shows the whole row, without what is left of its lease. */
    private static Decision<SeenClaim> whole(SeenClaim seen) {
        return new Decision<>(false, new SeenClaim(seen.claim(), seen.contested(), seen.leased()));
    }

    private Decision<SeenClaim> put(Node node, ClaimKey key, Claim claim, boolean contested, int lease) {
        rows.put(key, new Row(claim, contested, node.seconds(cluster.takenAt()) + lease));
        lastWrite.put(key, world.now());
        return new Decision<>(true, null);
    }

    private static Claim withOrigin(Claim claim, Claim before) {
        return claim.originId() != null ? claim : ofOrigin(claim, before.originId());
    }

    private static Claim ofOrigin(Claim claim, @Nullable UUID origin) {
        return new Claim(claim.owner(), claim.claimId(), origin, claim.writeTs());
    }

    // ---- for the checks and the planted bugs ----

    long lastWrite(ClaimKey key) {
        return lastWrite.getOrDefault(key, 0L);
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
