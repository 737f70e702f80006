package io.surewrite.lease;

/** What to do with a call that needs a lease which another holds. */
public enum WhenHeld {

    /** Throw a {@link LeaseNotAcquiredException}. */
    FAIL,

    /**
     * Return without running the method. Only if another was seen to hold the lease: if the cluster gives no clear answer,
     * the caller gets a {@link LeaseUnavailableException} all the same.
     */
    SKIP
}
