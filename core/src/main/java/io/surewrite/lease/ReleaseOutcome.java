package io.surewrite.lease;

/** What became of a release. In every case the lease is not held any more. */
public enum ReleaseOutcome {

    /** The lease was held to the end and is free now, or went straight to the next waiter of this process. */
    RELEASED,

    /** The lease was lost before the release could take effect. Others may have held the name since. */
    NOT_HELD,

    /** The cluster gave no clear answer. The name is free no later than when the lease runs out by itself. */
    UNKNOWN
}
