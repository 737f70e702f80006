package io.surewrite.unique;

/** What a constraint makes of a null component. */
public enum NullRule {

    /** A value with a null component is not claimed: any number of rows may have it, as in SQL. */
    NO_CLAIM,

    /** Nulls are equal: only one row may have the value, null components included. */
    EQUAL
}
