package io.surewrite.unique;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * The rows of one table that has unique constraints, by their canonical primary keys. Everything happens at quorum, and
 * nothing blocks. A stage that completes exceptionally means that a read has no answer, or that a write may take effect
 * now, later or never.
 *
 * <p>The table's {@code read_repair} must be {@code BLOCKING}, so that what one read at quorum has shown the next one
 * shows too.
 */
interface ConstrainedRows {

    /** With its keyspace; empty if the table is none of the application's. */
    default String name() {
        return "";
    }

    List<UniqueConstraint> constraints();

    /** Whether a constraint is on the primary key itself, so that the value alone says which row has it. */
    boolean isNaturalKey(UniqueConstraint constraint);

    /**
     * The name under which rows themselves have claims: takeovers keep the row's fence there, and, if {@link #mayMix()},
     * every writer that writes over a row raises it.
     */
    String rowClaim();

    /**
     * Whether two writes with one timestamp could mix to a value that neither has claimed: where a constraint has several
     * columns outside the primary key. Then every writer that writes over a row claims it, so that no two have one timestamp.
     */
    default boolean mayMix() {
        return false;
    }

    /** Reads a row with the write timestamps of its columns; absent rows are snapshots too. */
    CompletionStage<RowSnapshot> read(String owner);

    /** Reads a row with all that {@link #restore} needs: only a takeover pays for it. */
    default CompletionStage<RowSnapshot> readToRestore(String owner) {
        return read(owner);
    }

    CompletionStage<Void> delete(String owner, long timestamp);

    /**
     * Writes a row again as it was read, in one mutation: every column that was not null at the timestamp, every null as
     * a tombstone one tick before it. Of a column with several cells nothing is left that was not read: it is deleted one
     * tick before, and its cells are written at the timestamp, each with its own time to live.
     */
    CompletionStage<Void> restore(RowSnapshot row, long timestamp);

    /**
     * What one call wants to write into one row. The guard decides when, how often and with which timestamps.
     *
     * <p>Every write is at quorum and carries exactly the given timestamp, on each of its cells and however often it is sent.
     * The functions run on any thread and must not block. A stage that completes exceptionally means that the write may take
     * effect now, later or never, unless the failure says that the statement is wrong.
     *
     * @param writing writes all columns, nulls as nulls, which a new row may leave out; an overwrite deletes one tick before it
     */
    record EntityWrite(
            String owner,
            Function<UniqueConstraint, UniqueValue> values,
            LongFunction<CompletionStage<Void>> writing) {}
}
