package io.surewrite.lease.tenure;

import io.surewrite.lease.tenure.SimLeaseTable.Row;
import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The table, as a sweep in one process reaches it. */
class SimLeaseRows implements LeaseSweep.Rows {

    final SimProcess process;
    final SimCluster cluster;
    final SimLeaseTable table;

    SimLeaseRows(SimProcess process, SimCluster cluster, SimLeaseTable table) {
        this.process = process;
        this.cluster = cluster;
        this.table = table;
    }

    @Override
    public CompletionStage<Page> first() {
        CompletableFuture<Page> read = new CompletableFuture<>();
        cluster.send(process, () -> "read all rows", table::row, row -> {
            if (row == null) {
                read.completeExceptionally(new IllegalStateException("no answer"));
            } else {
                boolean free = row.epoch() != 0 && row.leaseId() == null;
                Duration untouched = Duration.ofNanos(table.untouched());
                read.complete(
                        new Page(free ? List.of(new FreeRow("item:1", row.epoch(), untouched)) : List.of(), null));
            }
        });
        return read;
    }

    @Override
    public CompletionStage<LeaseAnswer> raiseFloor(long expected, long floor, Duration timeout) {
        return cluster.settle(
                        process,
                        () -> "raise the floor from %d to %d".formatted(expected, floor),
                        node -> table.raiseFloor(expected, floor),
                        (Row row) -> row.epoch() >= floor,
                        timeout.toNanos())
                .thenApply(SimLeaseStore::answer);
    }

    @Override
    public CompletionStage<LeaseAnswer> remove(String name, long epoch, Duration timeout) {
        return remove(epoch, true, timeout);
    }

    CompletionStage<LeaseAnswer> remove(long epoch, boolean epochMatters, Duration timeout) {
        return cluster.settle(
                        process,
                        () -> "remove the row of epoch " + epoch,
                        node -> table.remove(node, epoch, epochMatters),
                        (Row row) -> false,
                        timeout.toNanos())
                .thenApply(SimLeaseStore::answer);
    }
}
