package io.surewrite.lease;

import static io.surewrite.lease.SimLeaseTable.shown;

import io.surewrite.lease.SimLeaseTable.Row;
import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimCluster.Decision;
import io.surewrite.simulation.SimCluster.Node;
import io.surewrite.simulation.SimProcess;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The table, as one process reaches it. */
class SimLeaseStore implements LeaseStore {

    final SimProcess process;
    private final SimCluster cluster;
    final SimLeaseTable table;

    SimLeaseStore(SimProcess process, SimCluster cluster, SimLeaseTable table) {
        this.process = process;
        this.cluster = cluster;
        this.table = table;
    }

    @Override
    public CompletionStage<LeaseAnswer> acquire(LeaseWrite claim, Duration timeout) {
        return settle(
                () -> "acquire %s (epoch %d -> %d)"
                        .formatted(shown(claim.leaseId()), claim.expectedEpoch(), claim.nextEpoch()),
                node -> table.acquire(node, claim, true),
                claim.leaseId(),
                timeout);
    }

    @Override
    public CompletionStage<LeaseAnswer> renew(Set<UUID> heldIds, LeaseWrite claim, Duration timeout) {
        long sentAt = table.now();
        return settle(
                () -> "renew %s as %s for %s".formatted(shown(heldIds), shown(claim.leaseId()), claim.ttl()),
                node -> table.renew(node, heldIds, claim, sentAt),
                claim.leaseId(),
                timeout);
    }

    @Override
    public CompletionStage<LeaseAnswer> release(String name, Set<UUID> heldIds, long writeTs, Duration timeout) {
        return settle(() -> "release " + shown(heldIds), node -> table.release(node, heldIds, writeTs), null, timeout);
    }

    CompletionStage<LeaseAnswer> settle(
            Supplier<String> what, Function<Node, Decision<Row>> apply, @Nullable UUID mine, Duration timeout) {
        return cluster.settle(
                        process, what, apply, row -> mine != null && mine.equals(row.leaseId()), timeout.toNanos())
                .thenApply(SimLeaseStore::answer);
    }

    @Override
    public CompletionStage<LeaseRow> read(String name) {
        return cluster.ask(process, null, () -> "read", table::row)
                .thenApply(row -> new LeaseRow(
                        row.epoch(),
                        row.leaseId(),
                        row.holder(),
                        Duration.ofSeconds(row.seconds()),
                        Objects.requireNonNull(row.writeTs())));
    }

    private static LeaseAnswer answer(@Nullable Decision<Row> decision) {
        if (decision == null) {
            return new LeaseAnswer.Unclear(new IllegalStateException("no answer"));
        }
        Row row = decision.row();
        return row == null
                ? new LeaseAnswer.Done()
                : new LeaseAnswer.Refused(row.epoch(), row.leaseId(), row.writeTs());
    }
}
