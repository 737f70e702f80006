package io.surewrite.lease;

/** How a caller's wish for a lease ended. */
public enum AcquireOutcome {

    /** The cluster gave it. */
    ACQUIRED,

    /** Another caller of this process passed it on. */
    HANDED_OVER,

    /** Another was seen to hold it. */
    REFUSED,

    /** The cluster gave no clear answer, or was not asked because its clocks are apart. */
    UNAVAILABLE,

    /** The caller was interrupted while it waited. */
    ABANDONED
}
