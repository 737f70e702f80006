package io.surewrite.lease;

/** Why a lease ended before it was released. */
public enum LossReason {

    /** The table does not show the lease any more: it ran out there, or was removed. */
    GONE,

    /** No renewal was confirmed in time, so the lease may have run out: the cluster or this process was too slow. */
    EXPIRED,

    /** The longest permitted hold is over. */
    MAX_HOLD,

    /** The {@link LeaseLocks} that it came from were closed, as at the end of an application. */
    CLOSED
}
