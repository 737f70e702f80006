package io.surewrite.overwrite;

/** The few statements that one table needs. */
enum ShapeKind {
    /** The row and nothing else. */
    INSERT,
    /** The row and what it adds to its collections. */
    INSERT_AND_EXTEND,
    /** The deletion of the old row, and the new one. */
    REPLACE,
    /** The deletion of the old row, the new one and what it adds to its collections. */
    REPLACE_AND_EXTEND,
    /** The row with its nulls, each of which leaves a tombstone, but columns that the entity does not map survive. */
    INSERT_NULLS,
    /** What a row adds to its collections, as a part of a batch. */
    EXTEND,
    /** The deletion of a partition, as a part of a batch. */
    DELETE_PARTITION,
    /** Reads the cells of a row with their timestamps. */
    READ_BACK
}
