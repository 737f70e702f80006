package io.surewrite.lease;

import io.surewrite.internal.clock.ClockGuard.ClockCheck;
import io.surewrite.internal.observe.Observed;
import io.surewrite.lease.Lease.LossReason;
import io.surewrite.lease.Lease.ReleaseOutcome;
import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
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
    private long lastHeld = Long.MIN_VALUE;
    private long closedUntil = Long.MIN_VALUE;
    private @Nullable Lease closer;

    private final Map<SimProcess, ClockCheck> clocks = new HashMap<>();
    private final Set<String> excused = new HashSet<>();
    private boolean nodeJumped;
    private @Nullable Hold lastGranted;

    private static final class Hold {
        private final SimProcess process;
        private final HeldLease lease;

        /** Whether it was asked for although its process had measured that a node's clock was wrong. */
        private boolean inSpite;

        Hold(SimProcess process, HeldLease lease) {
            this.process = process;
            this.lease = lease;
        }
    }

    LeaseLedger(World world, SimLeaseTable table) {
        this.world = world;
        this.table = table;
    }

    /** Hears what becomes of the leases of one process. */
    LeaseEvents of(SimProcess process) {
        Set<LeaseRequest> inSpite = Collections.newSetFromMap(new IdentityHashMap<>());
        return new UnheardLeases() {
            @Override
            Observed asked(LeaseRequest request) {
                if (clocks.getOrDefault(process, ClockCheck.NONE).problem() != null) {
                    inSpite.add(request);
                }
                return Observed.NONE;
            }

            @Override
            void acquired(Waiter waiter, HeldLease lease, boolean handedOver) {
                granted(process, lease, handedOver);
                Hold granted = Objects.requireNonNull(lastGranted);
                granted.inSpite = inSpite.remove(waiter.request);
                Duration atLeast = waiter.request.holdAtLeast();
                if (atLeast != null) {
                    closes(lease, table.acquiredAt() + atLeast.toNanos());
                }
            }

            @Override
            void lost(HeldLease lease, LossReason reason, Duration held) {
                process.note(() -> "LOST %s: %s".formatted(lease, reason));
                close(lease);
            }

            @Override
            void released(HeldLease lease, ReleaseOutcome outcome, Duration held) {
                process.note(() -> "released %s: %s".formatted(lease, outcome));
                close(lease);
                checkReleased(lease, outcome);
                if (!isSucceeded(lease)) {
                    table.ended(leaseId(lease));
                }
            }
        };
    }

    private void granted(SimProcess process, HeldLease lease, boolean handedOver) {
        process.note(() -> "HOLDS %s by %s%s"
                .formatted(lease, SimLeaseTable.shown(leaseId(lease)), handedOver ? ", handed over" : ""));
        grants++;
        handOvers += handedOver ? 1 : 0;
        if (lease.token() <= lastToken) {
            // Of two that hold at once, the one with the lower token may hear of it later.
            violate(false, "L2: fencing token %d after %d".formatted(lease.token(), lastToken));
        }
        long reserved = table.epoch();
        if (lease.token() > reserved) {
            world.violate(
                    "L2: fencing token %d is not reserved, only those up to %d".formatted(lease.token(), reserved));
        }
        if (world.now() < closedUntil) {
            violate(false, "%s granted while %s keeps the name closed".formatted(lease, closer));
        }
        lastToken = Math.max(lastToken, lease.token());
        lastGranted = new Hold(process, lease);
        open.add(lastGranted);
    }

    /** What a process knows of the nodes' clocks. */
    void watched(SimProcess process, ClockCheck check) {
        clocks.put(process, check);
    }

    /** From now on a node's clock is wrong. */
    void nodeJumps() {
        nodeJumped = true;
    }

    /** Counts what befalls holds that were asked for before their processes could know; anything else ends the run. */
    private void violate(boolean inSpite, String message) {
        if (!nodeJumped || inSpite) {
            world.violate(message);
        } else {
            excused.add(message);
        }
    }

    /** {@return what went wrong with holds that were asked for before a wrong clock of a node was measured} */
    int excused() {
        return excused.size();
    }

    /** The name must stay closed from now on, also after the release. */
    private void closes(Lease by, long until) {
        closings.add(by);
        if (until > closedUntil) {
            closedUntil = until;
            closer = by;
        }
    }

    private void checkReleased(HeldLease lease, ReleaseOutcome outcome) {
        boolean handedOver =
                open.stream().anyMatch(hold -> leaseId(hold.lease).equals(leaseId(lease))) || isSucceeded(lease);
        if (outcome == ReleaseOutcome.RELEASED
                && !handedOver
                && !closings.contains(lease)
                && table.isHeldAnywhere(leaseId(lease))) {
            violate(false, "%s is reported released, but the table shows it".formatted(lease));
        }
    }

    private void close(HeldLease lease) {
        open.removeIf(hold -> hold.lease == lease);
    }

    /** L7: of a caller that hears that another holds the name, which was so at some time since it came. */
    void refused(SimProcess process, long asked) {
        noteHeld();
        if (lastHeld < asked) {
            world.violate(
                    "L7: %s is refused, but no process has held the name since it asked".formatted(process.name()));
        }
    }

    private void noteHeld() {
        if (table.isHeldAnywhere() || open.stream().anyMatch(hold -> looksHeld(hold.lease))) {
            lastHeld = world.now();
        }
    }

    /** L1 and L5, at this instant. */
    void check() {
        noteHeld();
        Hold holder = null;
        for (Hold hold : open) {
            if (hold.process.isCrashed() || !looksHeld(hold.lease)) {
                continue;
            }
            if (holder != null) {
                violate(
                        holder.inSpite || hold.inSpite,
                        "L1: %s sees %s held and %s sees %s held"
                                .formatted(holder.process.name(), holder.lease, hold.process.name(), hold.lease));
            }
            holder = hold;
            if (!table.isHeldEverywhere(leaseId(hold.lease))) {
                violate(
                        hold.inSpite,
                        "L1/L5: %s sees %s held, but a node does not show it"
                                .formatted(hold.process.name(), hold.lease));
            }
        }
    }

    private static UUID leaseId(HeldLease lease) {
        return lease.tenure.claim.leaseId();
    }

    private static boolean looksHeld(HeldLease lease) {
        return lease.tenure.looksHeld(lease);
    }

    /** Whether another hold of its process goes on with the same lease. */
    private static boolean isSucceeded(HeldLease lease) {
        HeldLease current = lease.tenure.current;
        return current != null && current != lease;
    }

    int grants() {
        return grants;
    }

    int handOvers() {
        return handOvers;
    }
}
