package io.surewrite.lease.tenure;

import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * The table of leases: one row a name, and on each row linearizable conditional writes. Every write goes on until it is
 * decided or its timeout is over, and may come into effect even later. A stage that completes exceptionally means the
 * same as {@link LeaseAnswer.Unclear}.
 */
interface LeaseStore {

    /**
     * Writes the claim if no process holds the name and the epoch is the expected one, and, if the claim says so, only if its
     * floor is no lower than the row's.
     */
    CompletionStage<LeaseAnswer> acquire(LeaseWrite claim, Duration timeout);

    /**
     * Writes the claim's lease id, holder, ttl and reserved timestamps if the row has one of the lease ids that may be held. The
     * claim's own is a new one each time: a renewal that comes into effect late finds another than it looks for, and
     * cannot cut a newer one short.
     */
    CompletionStage<LeaseAnswer> renew(Set<UUID> heldIds, LeaseWrite claim, Duration timeout);

    /**
     * Frees the name if the row has one of these lease ids.
     *
     * @param writeTs no timestamp drawn under holds so far lies above it
     */
    CompletionStage<LeaseAnswer> release(String name, Set<UUID> heldIds, long writeTs, Duration timeout);

    /** Looks, cheaply: what it shows may be outdated. */
    CompletionStage<LeaseRow> read(String name);
}
