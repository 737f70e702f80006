package io.surewrite.unique;

/** How a whole row is written. */
enum RowWriting {

    /** Nulls are not written: for rows that are new. */
    INSERT,

    /** Nulls are written as nulls. */
    SAVE,

    /** What was there is deleted, one tick before. */
    OVERWRITE
}
