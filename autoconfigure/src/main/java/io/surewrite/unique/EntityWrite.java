package io.surewrite.unique;

import java.util.concurrent.CompletionStage;

/**
 * What one call wants to write into one row. The guard decides when, how often and with which timestamps.
 *
 * <p>Every write is at quorum and carries exactly the given timestamp, on each of its cells and however often it is sent:
 * {@link io.surewrite.cql.WriteScope#openInstead()} does that for Spring Data's templates. A stage that completes
 * exceptionally means that the write may take effect now, later or never, unless the failure says that the statement is
 * wrong.
 *
 * <p>When a guard's blocking method is called, and {@link #needsCallersThread()}, these methods run on the caller's thread
 * and may block; otherwise they run on any thread and must not block.
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
     * Whether the blocking methods of a guard run the writes on their caller's thread: because they block, or need what
     * belongs to that thread. It costs a change of threads at each step.
     *
     * @return true, unless overridden
     */
    default boolean needsCallersThread() {
        return true;
    }

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
