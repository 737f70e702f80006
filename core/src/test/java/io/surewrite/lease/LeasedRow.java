package io.surewrite.lease;

import io.surewrite.retry.SimRetry;
import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A row whose writers hold its lease: each reads it, adds a mark of its own and writes it back, plainly, with retries and one
 * timestamp. L6: whatever was reported done must be in the row in the end.
 */
final class LeasedRow {

    private final World world;
    private final SimCluster cluster;
    private final PlantedLeaseBug plant;

    /** The row as a node has it after the newest write that came in: a plain write, the later timestamp wins. */
    private Set<String> row = Set.of();

    private long writtenAt;
    private final Set<String> reported = new LinkedHashSet<>();
    private int marks;
    private int unknown;

    LeasedRow(World world, SimCluster cluster, PlantedLeaseBug plant) {
        this.world = world;
        this.cluster = cluster;
        this.plant = plant;
    }

    /** {@return a write that draws its timestamp before the lease is had, by a planted bug; otherwise null} */
    SimRetry.@Nullable Pinned early(SimRetry retry) {
        return plant == PlantedLeaseBug.PIN_BEFORE_THE_LEASE ? retry.begin(true) : null;
    }

    /** What holds in the row is read at a quorum: a read that is not answered says nothing. */
    void change(SimProcess process, SimRetry retry, Lease lease, SimRetry.@Nullable Pinned early, Runnable then) {
        cluster.send(process, () -> "read the row", node -> row, seen -> {
            if (seen == null) {
                then.run();
            } else {
                process.after(
                        world.chance(0.7) ? 0 : world.between(0, 4 * World.SECOND),
                        () -> write(process, retry, lease, early, seen, then));
            }
        });
    }

    private void write(
            SimProcess process,
            SimRetry retry,
            Lease lease,
            SimRetry.@Nullable Pinned early,
            Set<String> seen,
            Runnable then) {
        String mark = "%s.%d".formatted(process.name(), ++marks);
        Set<String> next = new LinkedHashSet<>(seen);
        next.add(mark);
        SimRetry.Pinned pinned = early;
        try {
            if (pinned == null) {
                pinned = lease.call(() -> retry.begin(plant == PlantedLeaseBug.NO_LOOK_AT_THE_LEASE));
            }
        } catch (RuntimeException refused) {
            process.note(() -> "may not write: " + refused.getMessage());
            then.run();
            return;
        }
        pinned.send(timestamp -> attempt(process, next, mark, timestamp)).whenComplete((failure, impossible) -> {
            if (failure == null) {
                process.note(() -> "REPORTS %s done".formatted(mark));
                reported.add(mark);
            } else {
                process.note(() -> "%s: %s".formatted(mark, failure.getMessage()));
                unknown += SimRetry.mayBeInEffect(failure) ? 1 : 0;
            }
            process.after(world.chance(0.7) ? 0 : world.between(0, World.SECOND), then);
        });
    }

    private CompletionStage<?> attempt(SimProcess process, Set<String> next, String mark, long timestamp) {
        return cluster.ask(process, null, () -> "write %s at %d".formatted(mark, timestamp), node -> {
            if (timestamp > writtenAt) {
                row = next;
                writtenAt = timestamp;
            }
            return true;
        });
    }

    void check() {
        for (String mark : reported) {
            if (!row.contains(mark)) {
                world.violate("L6: %s was reported done, and the row is %s".formatted(mark, row));
            }
        }
    }

    int reported() {
        return reported.size();
    }

    int unknown() {
        return unknown;
    }
}
