package io.surewrite.unique;

import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimCluster.Decision;
import io.surewrite.simulation.SimCluster.Node;
import io.surewrite.simulation.SimProcess;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The table of claims, as one process reaches it. */
final class SimClaimStore implements ClaimStore {

    private final SimProcess process;
    private final SimCluster cluster;
    private final SimClaimTable table;
    private final int lease;
    private final Duration attemptTimeout;

    SimClaimStore(SimProcess process, SimCluster cluster, SimClaimTable table, UniqueSettings settings) {
        this.process = process;
        this.cluster = cluster;
        this.table = table;
        this.lease = (int) settings.lease().toSeconds();
        this.attemptTimeout = settings.attemptTimeout();
    }

    @Override
    public CompletionStage<ClaimAnswer> create(ClaimKey key, Claim claim) {
        return write("create", key, claim, node -> table.create(node, key, claim, lease));
    }

    @Override
    public CompletionStage<ClaimAnswer> raise(ClaimKey key, Claim claim) {
        return write("raise", key, claim, node -> table.raise(node, key, claim, lease));
    }

    @Override
    public CompletionStage<ClaimAnswer> join(ClaimKey key, UUID seen, UUID claimId) {
        return settle(
                () -> "join %s #%d as #%d".formatted(key.value(), id(seen), id(claimId)),
                node -> table.join(node, key, seen, claimId),
                claimId);
    }

    @Override
    public CompletionStage<ClaimAnswer> take(ClaimKey key, UUID seen, Claim claim) {
        return write("take", key, claim, node -> table.take(node, key, seen, claim, lease));
    }

    @Override
    public CompletionStage<ClaimAnswer> withdraw(ClaimKey key, UUID claimId) {
        return settle(
                () -> "withdraw %s #%d".formatted(key.value(), id(claimId)),
                node -> table.withdraw(node, key, claimId),
                null);
    }

    @Override
    public CompletionStage<ClaimAnswer> release(ClaimKey key, String owner, long below) {
        return settle(
                () -> "release %s of %s below %d".formatted(key.value(), owner, below),
                node -> table.release(node, key, owner, below),
                null);
    }

    @Override
    public CompletionStage<ClaimAnswer> protect(ClaimKey key, Claim claim) {
        return write("protect", key, claim, node -> table.protect(node, key, claim, lease));
    }

    @Override
    public CompletionStage<ClaimAnswer> adopt(ClaimKey key, Claim claim) {
        return write("adopt", key, claim, node -> table.adopt(node, key, claim));
    }

    @Override
    public CompletionStage<ClaimAnswer> fence(ClaimKey row, Claim claim) {
        return write("fence", row, claim, node -> table.fence(node, row, claim));
    }

    @Override
    public CompletionStage<ClaimAnswer> raiseFence(ClaimKey row, UUID seen, Claim claim) {
        return write("refence", row, claim, node -> table.raiseFence(node, row, seen, claim));
    }

    @Override
    public CompletionStage<Long> readFence(ClaimKey row) {
        return cluster.ask(process, null, () -> "look at fence " + row.value(), node -> table.fence(row));
    }

    @Override
    public CompletionStage<Optional<SeenClaim>> read(ClaimKey key) {
        return cluster.ask(
                process, null, () -> "readClaim " + key.value(), node -> Optional.ofNullable(table.seen(node, key)));
    }

    private CompletionStage<ClaimAnswer> write(
            String what, ClaimKey key, Claim claim, Function<Node, Decision<SeenClaim>> apply) {
        return settle(
                () -> "%s %s for %s #%d @%d"
                        .formatted(what, key.value(), claim.owner(), id(claim.claimId()), claim.writeTs()),
                apply,
                claim.claimId());
    }

    private CompletionStage<ClaimAnswer> settle(
            Supplier<String> what, Function<Node, Decision<SeenClaim>> apply, @Nullable UUID mine) {
        return cluster.settle(
                        process, what, apply, seen -> seen.claim().claimId().equals(mine), attemptTimeout.toNanos())
                .thenApply(SimClaimStore::answer);
    }

    private static ClaimAnswer answer(@Nullable Decision<SeenClaim> decision) {
        if (decision == null) {
            return new ClaimAnswer.Unclear(SimRows.timeout());
        }
        return decision.applied() ? new ClaimAnswer.Done() : new ClaimAnswer.Refused(decision.row());
    }

    private static long id(UUID id) {
        return id.getLeastSignificantBits();
    }
}
