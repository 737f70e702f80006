package io.surewrite.lease.tenure;

import java.time.Duration;
import java.util.UUID;

/**
 * What an acquisition writes, and a renewal writes again under another lease id.
 *
 * @param name the name
 * @param leaseId the token of this write, never used for another
 * @param expectedEpoch the epoch that must stand in the table; 0 for no row
 * @param nextEpoch the epoch to write: the highest fencing token that this lease may ever carry
 * @param holder the name of this process
 * @param ttl whole seconds
 * @param floor no timestamp drawn under an earlier hold lies above it, as far as this process knows
 * @param checksFloor whether the table must confirm that: otherwise the epoch does
 * @param reserved no timestamp drawn under this claim lies above it
 */
record LeaseWrite(
        String name,
        UUID leaseId,
        long expectedEpoch,
        long nextEpoch,
        String holder,
        Duration ttl,
        long floor,
        boolean checksFloor,
        long reserved) {

    /** The same claim under another lease id, out of reach of everything sent before. */
    LeaseWrite replacedBy(UUID newId, Duration newTtl, long newReserved) {
        return new LeaseWrite(
                name, newId, expectedEpoch, nextEpoch, holder, newTtl, floor, checksFloor, newReserved);
    }
}
