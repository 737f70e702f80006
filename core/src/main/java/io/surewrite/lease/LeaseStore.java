package io.surewrite.lease;

import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The table of leases: one row a name, and on each row linearizable conditional writes. Every write goes on until it is
 * decided or its timeout is over, and may come into effect even later. A stage that completes exceptionally means the
 * same as {@link LeaseAnswer.Unclear}.
 */
interface LeaseStore {

    /** Writes the claim if nobody holds the name, the epoch is as expected, and the floor, if checked, not below the row's. */
    CompletionStage<LeaseAnswer> acquire(LeaseWrite claim, Duration timeout);

    /**
     * Writes the claim again if the row has one of these lease ids. Its own is a new one each time: a renewal that comes into
     * effect late finds another than it looks for, and cannot cut a newer one short.
     */
    CompletionStage<LeaseAnswer> renew(Set<UUID> heldIds, LeaseWrite claim, Duration timeout);

    /** Frees the name if the row has one of these lease ids. */
    CompletionStage<LeaseAnswer> release(String name, Set<UUID> heldIds, long writeTs, Duration timeout);

    /** Looks, cheaply: what it shows may be outdated. */
    CompletionStage<LeaseRow> read(String name);

    /**
     * A row of the table as a cheap read shows it: perhaps outdated.
     *
     * @param epoch 0 if there is no row
     * @param writeTs no timestamp drawn under holds so far lies above it
     */
    record LeaseRow(
            long epoch, @Nullable UUID leaseId, @Nullable String holder, Duration remaining, long writeTs) {

        static final LeaseRow ABSENT = new LeaseRow(0, null, null, Duration.ZERO, 0);
    }

    /** What became of one conditional write on the lease table. */
    sealed interface LeaseAnswer {

        /** It is in effect. */
        record Done() implements LeaseAnswer {}

        /** It is not in effect: the row was another. A null timestamp was not shown. */
        record Refused(
                long epoch,
                @Nullable UUID leaseId,
                @Nullable Long writeTs) implements LeaseAnswer {}

        /** It is not in effect and never will be: the cluster refuses the statement, for want of rights or of the table. */
        record Denied(Throwable cause) implements LeaseAnswer {}

        /** It is not known whether it is in effect, and it may still come into effect. */
        record Unclear(Throwable cause) implements LeaseAnswer {}
    }

    /**
     * What an acquisition writes, and a renewal writes again under another lease id.
     *
     * @param leaseId the token of this write, never used for another
     * @param nextEpoch the highest fencing token that this lease may ever carry
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
}
