package io.surewrite.unique;

/**
 * The rules of the protocol that are easy to get wrong. The simulation breaks one at a time, and shows that it notices.
 */
class UniqueRules {

    enum Rule {

        // ---- the row's write

        /** An acknowledgement after the deadline counts only if the row's fence is lower (W2). */
        LATE_WRITES_READ_THE_FENCE,

        /** The deadline counts from the instant at which the timestamp was drawn, not from the first send (W2). */
        THE_DEADLINE_COUNTS_FROM_THE_DRAW,

        /** A row is sent again at the timestamp that it was sent at first (W1). */
        ONE_TIMESTAMP_FOR_ALL_SENDS,

        /** A call whose row was sent is unknown, whatever fails later (W5). */
        UNKNOWN_ONCE_SENT,

        /** A late deletion reads the fence as a late write does (W2). */
        LATE_DELETIONS_READ_THE_FENCE,

        /** Old values are released only when the row's write is acknowledged. */
        RELEASED_AFTER_THE_WRITE,

        /** A claim is released only if no later operation of its row has raised it. */
        RELEASED_BELOW_THE_TIMESTAMP,

        // ---- claims

        /** A claim found raised by another operation of the row is joined, so that the other cannot withdraw it. */
        JOINS_THE_CLAIMS_OF_ITS_ROW,

        /** What was created has another id than what was raised or joined (W4). */
        OWN_ID_FOR_WHAT_WAS_CREATED,

        /** A call that fails withdraws only what it created or took (W4). */
        WITHDRAWS_ONLY_WHAT_IT_CREATED,

        /** Two inserts of one primary key have the same owner; only the origin tells them apart. */
        INSERTS_COMPARE_ORIGINS,

        /** Where two writes of one timestamp could mix to a value that nobody claimed, writers claim the row too. */
        WRITERS_CLAIM_THE_ROW,

        // ---- takeovers

        /** A claim is taken over only when its reservation has ended. */
        TAKEOVERS_WAIT_FOR_THE_RESERVATION,

        /** A reservation is over by the clock of who takes over, too: nodes' clocks and writers' may be apart both. */
        TAKEOVERS_WAIT_FOR_THE_CLOCK,

        /** A value counts as dead only where the row shows another part that is newer than the claim. */
        ONLY_NEWER_PARTS_PROVE_DEATH,

        /** A takeover fences the row, so that late operations learn of it (W3). */
        TAKEOVERS_FENCE_THE_ROW,

        /** Each takeover of a row has a timestamp of its own (W3). */
        ONE_TIMESTAMP_FOR_EACH_TAKEOVER,

        /** The row on which a takeover decides is read after the fence is there (W3). */
        READS_AFTER_THE_FENCE,

        /** A takeover kills what was sent under the old claim. */
        TAKEOVERS_KILL_LATE_WRITES,

        /** A row that is not there is deleted at the claim's timestamp: on a tie the deletion wins. */
        DELETES_AT_THE_CLAIMS_TIMESTAMP,

        /** The values of a row are raised to the timestamp of its restoration before it is written (I1). */
        RESTORED_VALUES_ARE_PROTECTED
    }

    boolean keeps(Rule rule) {
        return true;
    }
}
