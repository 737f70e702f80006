package io.surewrite.lease.tenure;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What became of one conditional write on the lease table. */
sealed interface LeaseAnswer {

    /** It is in effect. */
    record Done() implements LeaseAnswer {}

    /**
     * It is not in effect: the row was another.
     *
     * @param epoch what the row shows; 0 if there is none
     * @param leaseId whose it is, or null if no process holds it
     * @param writeTs no timestamp drawn under earlier holds lies above it; null if the
     *     answer does not show it
     */
    record Refused(
            long epoch, @Nullable UUID leaseId, @Nullable Long writeTs) implements LeaseAnswer {

        Refused(long epoch, @Nullable UUID leaseId) {
            this(epoch, leaseId, null);
        }
    }

    /**
     * It is not in effect and never will be: the cluster refuses the statement, for want of rights or of the table.
     *
     * @param cause the refusal
     */
    record Denied(Throwable cause) implements LeaseAnswer {}

    /**
     * It is not known whether it is in effect, and it may still come into effect.
     *
     * @param cause the last failure
     */
    record Unclear(Throwable cause) implements LeaseAnswer {}
}
