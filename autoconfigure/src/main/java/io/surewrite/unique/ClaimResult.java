package io.surewrite.unique;

/** What became of the attempt to claim one value. */
sealed interface ClaimResult {

    /**
     * It is ours.
     *
     * @param created whether this call made the claim or took it over; otherwise it was the owner's before
     */
    record Held(boolean created) implements ClaimResult {}

    /**
     * It is the owner's, with a timestamp that ours must exceed.
     *
     * @param seen the timestamp
     */
    record Rise(long seen) implements ClaimResult {}

    /** Another row carries the value. */
    record Duplicate() implements ClaimResult {}

    /** Another write of the value is under way. */
    record Pending() implements ClaimResult {}

    /**
     * Nobody knows.
     *
     * @param cause the last failure
     */
    record Unclear(Throwable cause) implements ClaimResult {}
}
