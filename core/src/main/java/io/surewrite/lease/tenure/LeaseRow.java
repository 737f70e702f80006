package io.surewrite.lease.tenure;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table as a cheap read shows it: perhaps outdated.
 *
 * @param epoch 0 if there is no row
 * @param leaseId whose it is, or null if no process holds it
 * @param holder the process that holds it, or null
 * @param remaining how long the lease lasts; zero if no process holds it
 * @param writeTs no timestamp drawn under holds so far lies above it; 0 if none is known to the row
 */
record LeaseRow(
        long epoch,
        @Nullable UUID leaseId,
        @Nullable String holder,
        Duration remaining,
        long writeTs) {

    static final LeaseRow ABSENT = new LeaseRow(0, null, null, Duration.ZERO, 0);
}
