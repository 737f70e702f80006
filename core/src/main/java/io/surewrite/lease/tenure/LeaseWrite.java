package io.surewrite.lease.tenure;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an acquisition writes, and a renewal writes again under another lease id.
 *
 * @param name the name
 * @param leaseId the token of this write, never used for another
 * @param expectedEpoch the epoch that must stand in the table; 0 for no row
 * @param nextEpoch the epoch to write: the highest fencing token that this lease may ever carry; proven if the expected
 *     one is
 * @param holder the name of this process
 * @param payload what to show to others, or null
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
        @Nullable String payload,
        Duration ttl,
        long floor,
        boolean checksFloor,
        long reserved) {

    /**
     * Whether an epoch is known to lie above all that the name had in rows that were removed: the even ones are. What
     * starts a row, or goes on from an odd one, must look at the floor before it counts. See ADR 110.
     */
    static boolean isProven(long epoch) {
        return epoch != 0 && epoch % 2 == 0;
    }

    /** The least epoch from this one on that is as proven as the one it follows. */
    static long following(long expectedEpoch, long atLeast) {
        boolean even = atLeast % 2 == 0;
        return even == isProven(expectedEpoch) ? atLeast : atLeast + 1;
    }

    boolean isProven() {
        return isProven(expectedEpoch);
    }

    /** The epoch that its holder leaves in the table: proven, for who holds has looked at the floor. */
    long lastEpoch() {
        return isProven() ? nextEpoch : nextEpoch + 1;
    }

    /** The same claim under another lease id, out of reach of everything sent before. */
    LeaseWrite replacedBy(UUID newId, Duration newTtl, long newReserved) {
        return new LeaseWrite(
                name, newId, expectedEpoch, nextEpoch, holder, payload, newTtl, floor, checksFloor, newReserved);
    }
}
