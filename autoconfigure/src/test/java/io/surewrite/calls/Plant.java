package io.surewrite.calls;

/** A bug that is planted: the comparison must notice each. */
enum Plant {
    NOTHING,
    /** A call that failed says what became of the statement that failed last. */
    OUTCOME_OF_THE_LAST_STATEMENT,
    /** Each attempt draws a timestamp of its own. */
    TIMESTAMP_OF_THE_ATTEMPT
}
