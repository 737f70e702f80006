package io.surewrite.lease;

import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Keeps book of all holds of the name, by all processes, and compares it with the obligations after every event. */
final class LeaseLedger {

    private final World world;
    private final SimLeaseTable table;
    private final List<Hold> open = new ArrayList<>();
    private final Set<Lease> closings = new HashSet<>();
    private long lastToken;
    private int grants;
    private int handOvers;
    private long closedUntil = Long.MIN_VALUE;
    private @Nullable Lease closer;

    private record Hold(SimProcess process, HeldLease lease) {}

    LeaseLedger(World world, SimLeaseTable table) {
        this.world = world;
        this.table = table;
    }

    /** The listener of one process. */
    LeaseListener of(SimProcess process) {
        return new LeaseListener() {
            @Override
            public void acquired(Lease lease, java.time.Duration waited, boolean handedOver) {
                granted(process, (HeldLease) lease, handedOver);
            }

            @Override
            public void lost(Lease lease, LossReason reason, java.time.Duration held) {
                process.note(() -> "LOST %s: %s".formatted(lease, reason));
                close((HeldLease) lease);
            }

            @Override
            public void released(Lease lease, ReleaseOutcome outcome, java.time.Duration held) {
                process.note(() -> "released %s: %s".formatted(lease, outcome));
                close((HeldLease) lease);
                checkReleased((HeldLease) lease, outcome);
                if (!((HeldLease) lease).isSucceeded()) {
                    table.ended(((HeldLease) lease).leaseId());
                }
            }
        };
    }

    private void granted(SimProcess process, HeldLease lease, boolean handedOver) {
        process.note(() -> "HOLDS %s by %s%s"
                .formatted(lease, SimLeaseTable.shown(lease.leaseId()), handedOver ? ", handed over" : ""));
        grants++;
        handOvers += handedOver ? 1 : 0;
        if (lease.token() <= lastToken) {
            world.violate("L2: fencing token %d after %d".formatted(lease.token(), lastToken));
        }
        if (lease.token() > table.epoch()) {
            world.violate(
                    "L2: fencing token %d is not reserved, the epoch is %d".formatted(lease.token(), table.epoch()));
        }
        if (world.now() < closedUntil) {
            world.violate("%s granted while %s keeps the name closed".formatted(lease, closer));
        }
        lastToken = lease.token();
        open.add(new Hold(process, lease));
    }

    /** Its release is to keep the name closed. */
    void closes(Lease lease) {
        closings.add(lease);
    }

    /** The name must stay closed from now on, as the holder has asked and was told. */
    void closed(Lease by, long until) {
        closedUntil = until;
        closer = by;
    }

    private void checkReleased(HeldLease lease, ReleaseOutcome outcome) {
        boolean handedOver =
                open.stream().anyMatch(hold -> hold.lease().leaseId().equals(lease.leaseId())) || lease.isSucceeded();
        if (outcome == ReleaseOutcome.RELEASED
                && !handedOver
                && !closings.contains(lease)
                && table.isHeldAnywhere(lease.leaseId())) {
            world.violate("%s is reported released, but the table shows it".formatted(lease));
        }
    }

    private void close(HeldLease lease) {
        open.removeIf(hold -> hold.lease() == lease);
    }

    /** L1 and L5, at this instant. */
    void check() {
        Hold holder = null;
        for (Hold hold : open) {
            if (hold.process().isCrashed() || !hold.lease().looksHeld()) {
                continue;
            }
            if (holder != null) {
                world.violate("L1: %s sees %s held and %s sees %s held"
                        .formatted(
                                holder.process().name(),
                                holder.lease(),
                                hold.process().name(),
                                hold.lease()));
            }
            holder = hold;
            if (!table.isHeldEverywhere(hold.lease().leaseId())) {
                world.violate("L1/L5: %s sees %s held, but a node does not show it"
                        .formatted(hold.process().name(), hold.lease()));
            }
        }
    }

    int grants() {
        return grants;
    }

    int handOvers() {
        return handOvers;
    }
}
