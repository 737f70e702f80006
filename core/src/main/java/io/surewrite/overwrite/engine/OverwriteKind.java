package io.surewrite.overwrite.engine;

/** How an overwrite was written. */
enum OverwriteKind {
    /** As a plain insert: nothing was to be deleted. */
    INSERT,
    /** As one row deletion and the new row, in one mutation. */
    ROW,
    /** With a tombstone for every null, because the table has columns that the entity does not map. */
    NULLS,
    /** As one partition deletion and the new rows, in one mutation. */
    PARTITION
}
