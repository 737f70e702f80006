package io.surewrite.unique.claims;

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
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The table of claims as Cassandra keeps it: registers, and a lease that expires by the clock of whatever node looks. */
class SimClaimTable {

    private static final long LONG_AGO = -1_000_000;

    private final World world;
    private final Map<ClaimKey, Row> rows = new LinkedHashMap<>();
    private final Map<ClaimKey, Long> lastWrite = new HashMap<>();

    /** A claim and the second at which its lease is gone. */
    private record Row(Claim claim, boolean contested, long goneAt) {}

    SimClaimTable(World world) {
        this.world = world;
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
        return seen == null ? put(node, key, claim, false, lease) : new Decision<>(false, seen);
    }

    Decision<SeenClaim> replace(Node node, ClaimKey key, Claim old, Claim claim, int lease) {
        return when(
                node,
                key,
                seen -> seen.claim().claimId().equals(old.claimId())
                        && seen.isOf(old.owner())
                        && seen.claim().writeTs() == old.writeTs(),
                seen -> put(node, key, withOrigin(claim, seen.claim()), false, lease));
    }

    Decision<SeenClaim> mark(Node node, ClaimKey key, Claim old, UUID id, int lease) {
        return when(node, key, seen -> seen.claim().claimId().equals(old.claimId()) && !seen.leased(), seen -> {
            Claim was = seen.claim();
            return put(node, key, new Claim(was.owner(), id, was.originId(), was.writeTs()), true, lease);
        });
    }

    Decision<SeenClaim> settle(Node node, ClaimKey key, UUID id) {
        return when(node, key, seen -> seen.claim().claimId().equals(id), seen -> {
            rows.put(key, new Row(seen.claim(), false, LONG_AGO));
            return new Decision<>(true, null);
        });
    }

    Decision<SeenClaim> protect(Node node, ClaimKey key, Claim claim, int lease) {
        return when(
                node,
                key,
                seen -> isFreeBelow(seen, claim),
                seen -> put(node, key, withOrigin(claim, seen.claim()), false, lease));
    }

    private static boolean isFreeBelow(SeenClaim seen, Claim claim) {
        return seen.isOf(claim.owner()) && !seen.leased() && seen.claim().writeTs() < claim.writeTs();
    }

    Decision<SeenClaim> note(Node node, ClaimKey key, Claim claim) {
        SeenClaim seen = seen(node, key);
        return seen == null ? putWithoutLease(key, claim) : new Decision<>(false, seen);
    }

    Decision<SeenClaim> raise(Node node, ClaimKey key, Claim claim) {
        return when(
                node,
                key,
                seen -> isFreeBelow(seen, claim),
                seen -> putWithoutLease(key, withOrigin(claim, seen.claim())));
    }

    private Decision<SeenClaim> putWithoutLease(ClaimKey key, Claim claim) {
        put(key, claim);
        lastWrite.put(key, world.now());
        return new Decision<>(true, null);
    }

    Decision<SeenClaim> removeIf(Node node, ClaimKey key, Predicate<SeenClaim> condition) {
        return when(node, key, condition, seen -> {
            rows.remove(key);
            lastWrite.put(key, world.now());
            return new Decision<>(true, null);
        });
    }

    private Decision<SeenClaim> when(
            Node node,
            ClaimKey key,
            Predicate<SeenClaim> condition,
            java.util.function.Function<SeenClaim, Decision<SeenClaim>> then) {
        SeenClaim seen = seen(node, key);
        return seen != null && condition.test(seen) ? then.apply(seen) : new Decision<>(false, seen);
    }

    private Decision<SeenClaim> put(Node node, ClaimKey key, Claim claim, boolean contested, int lease) {
        rows.put(key, new Row(claim, contested, node.seconds(world.now()) + lease));
        lastWrite.put(key, world.now());
        return new Decision<>(true, null);
    }

    private static Claim withOrigin(Claim claim, Claim before) {
        return claim.originId() != null
                ? claim
                : new Claim(claim.owner(), claim.claimId(), before.originId(), claim.writeTs());
    }

    // ---- for the checks and the planted bugs ----

    long lastWrite(ClaimKey key) {
        return lastWrite.getOrDefault(key, 0L);
    }

    /** Removes the whole claim when its lease is over, as a plain TTL would. */
    void expire(Node node, ClaimKey key) {
        Row row = rows.get(key);
        if (row != null && row.goneAt() != LONG_AGO && row.goneAt() <= node.seconds(world.now())) {
            rows.remove(key);
        }
    }
}
