package io.surewrite.write;

/**
 * What a failure says about the write that met it, from the least to the most that has to be reckoned with: of several
 * failures of one write the greatest counts.
 */
public enum FailureKind {

    /** Not a failure of Cassandra or its driver: it says nothing about a write. */
    OTHER,

    /** The write has no effect and never will; the same write may succeed later. */
    NOT_APPLIED,

    /** The write has no effect and never will, however often it is tried: wrong text, a missing table, missing rights. */
    WRONG_STATEMENT,

    /** The write may be in effect, in part or in whole, and may still take effect later. */
    UNKNOWN;

    /** {@return whether running the same write again can help} */
    public boolean isRetryable() {
        return this != OTHER && this != WRONG_STATEMENT;
    }

    FailureKind or(FailureKind other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
