package io.surewrite.cql.observe;

/** How a logical write ended. */
public enum WriteEnd {
    /** Done. */
    SUCCEEDED,
    /** The condition of a conditional write did not hold. */
    REJECTED,
    /** Given up for now, and kept on disk until the cluster takes it. */
    KEPT,
    /** Failed in a way that no repetition fixes. */
    FAILED,
    /** Given up, without effect. */
    EXHAUSTED,
    /** Given up, the outcome unknown. */
    UNKNOWN;

    boolean isDecided() {
        return this == SUCCEEDED || this == REJECTED;
    }
}
