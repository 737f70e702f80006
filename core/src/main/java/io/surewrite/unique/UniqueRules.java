package io.surewrite.unique;

/** The rules that are easy to get wrong; the simulation breaks each, and the page of the protocol says what they are for. */
class UniqueRules {

    enum Rule {

        // ---- the row's write

        LATE_WRITES_READ_THE_FENCE,
        THE_DEADLINE_COUNTS_FROM_THE_DRAW,
        ONE_TIMESTAMP_FOR_ALL_SENDS,
        UNKNOWN_ONCE_SENT,
        LATE_DELETIONS_READ_THE_FENCE,
        RELEASED_AFTER_THE_WRITE,
        RELEASED_BELOW_THE_TIMESTAMP,

        // ---- claims

        JOINS_THE_CLAIMS_OF_ITS_ROW,
        OWN_ID_FOR_WHAT_WAS_CREATED,
        WITHDRAWS_ONLY_WHAT_IT_CREATED,
        INSERTS_COMPARE_ORIGINS,

        /** Where two writes of one timestamp could mix to a value that nobody claimed, writers claim the row too. */
        WRITERS_CLAIM_THE_ROW,

        // ---- takeovers

        TAKEOVERS_WAIT_FOR_THE_RESERVATION,

        /** A reservation is over by the clock of who takes over, too: nodes' clocks and writers' may be apart both. */
        TAKEOVERS_WAIT_FOR_THE_CLOCK,

        /** A value counts as dead only where the row shows another part that is newer than the claim. */
        ONLY_NEWER_PARTS_PROVE_DEATH,
        TAKEOVERS_FENCE_THE_ROW,
        ONE_TIMESTAMP_FOR_EACH_TAKEOVER,
        READS_AFTER_THE_FENCE,
        TAKEOVERS_KILL_LATE_WRITES,
        DELETES_AT_THE_CLAIMS_TIMESTAMP,
        RESTORED_VALUES_ARE_PROTECTED
    }

    boolean keeps(Rule rule) {
        return true;
    }
}
