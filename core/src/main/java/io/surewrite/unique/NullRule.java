package io.surewrite.unique;

/** What a constraint makes of a null component, and of an empty one. */
public enum NullRule {

    /** A value with a null component is not claimed: any number of rows may have it, as in SQL. */
    NO_CLAIM,

    /**
     * As {@link #NO_CLAIM}, and a text that is empty or blank counts as null: any number of rows may have it. It is judged
     * after the normalisers.
     */
    NO_CLAIM_IF_BLANK,

    /** Nulls are equal: only one row may have the value, null components included. */
    EQUAL
}
