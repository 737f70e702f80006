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

    /**
     * The value that the row will have.
     *
     * @param constraint one of the table's constraints
     * @return the value, made by {@link UniqueConstraint#value}
     */
    UniqueValue value(UniqueConstraint constraint);

    /**
     * Writes everything: all constrained columns, nulls of them as nulls, and all others.
     *
     * @param timestamp in microseconds; an overwrite deletes at one tick before it
     * @return completes when a quorum has it
     */
    CompletionStage<Void> write(long timestamp);

    /**
     * Writes the columns that no constraint of the table is about, and no row marker; may have nothing to do.
     *
     * @param timestamp in microseconds
     * @return completes when a quorum has it
     */
    CompletionStage<Void> writeOthers(long timestamp);
}
