package io.surewrite.calls;

/** A bug that is planted: the comparison must notice each that is not refused. */
enum Plant {
    NOTHING,
    /** The timestamp of a write under a lease is drawn before the lease is had: refused. */
    PINNED_BEFORE_THE_LEASE,
    /** A call that failed says what became of the statement that failed last. */
    OUTCOME_OF_THE_LAST_STATEMENT,
    /** Each attempt draws a timestamp of its own. */
    TIMESTAMP_OF_THE_ATTEMPT
}
