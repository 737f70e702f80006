package io.surewrite.unique.claims;

import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueValue;
import java.util.concurrent.CompletionStage;

/**
 * What one call wants to write into one row. The guard decides when, how often and with which timestamps.
 *
 * <p>Every write is at quorum and carries exactly the given timestamp, on each of its cells and however often it is sent.
 * These methods run on any thread and must not block. A stage that completes exceptionally means that the write may take
 * effect now, later or never, unless the failure says that the statement is wrong.
 */
public interface EntityWrite {

    /**
     * {@return the row's canonical primary key}
     */
    String owner();

    /** The value that the row will have. */
    UniqueValue value(UniqueConstraint constraint);

    /**
     * Writes the whole row: all its columns, nulls as nulls. A write of a new row may leave nulls out.
     *
     * @param timestamp in microseconds; an overwrite deletes at one tick before it
     */
    CompletionStage<Void> write(long timestamp);
}
