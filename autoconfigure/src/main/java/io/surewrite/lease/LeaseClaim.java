package io.surewrite.lease;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an acquisition writes, and a renewal writes again under another lease id.
 *
 * @param name the name
 * @param leaseId the token of this write, never used for another
 * @param expectedEpoch the epoch that must stand in the table; 0 for no row
 * @param nextEpoch the epoch to write: the highest fencing token that this lease may ever carry
 * @param holder the name of this process
 * @param payload what to show to others, or null
 * @param ttl whole seconds
 */
record LeaseClaim(
        String name,
        UUID leaseId,
        long expectedEpoch,
        long nextEpoch,
        String holder,
        @Nullable String payload,
        Duration ttl) {

    /** The same claim under another lease id, out of reach of everything sent before. */
    LeaseClaim replacedBy(UUID newId, Duration newTtl) {
        return new LeaseClaim(name, newId, expectedEpoch, nextEpoch, holder, payload, newTtl);
    }
}
