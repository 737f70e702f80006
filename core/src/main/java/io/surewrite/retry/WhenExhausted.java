package io.surewrite.retry;

/** What becomes of a write when its attempts or its time are used up. */
public enum WhenExhausted {

    /** The caller gets the failure. */
    FAIL,

    /**
     * It is kept on disk and done later, with the timestamp it has: the caller goes on once it is durable. Needs the
     * backlog, and a method whose answer does not come from the database.
     */
    BACKLOG
}
