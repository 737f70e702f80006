package io.surewrite.overwrite.engine;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.overwrite.OverwriteKind;
import io.surewrite.overwrite.OverwriteOptions;
import io.surewrite.rows.EntityTable;
import io.surewrite.rows.RowStatement;
import io.surewrite.rows.RowValues;
import io.surewrite.rows.TimedRow;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * One overwrite, checked and ready to be sent as a single mutation.
 *
 * @param target the table
 * @param kind how it is written
 * @param parts its statements
 * @param options as given
 */
record OverwritePlan(EntityTable target, OverwriteKind kind, List<Part> parts, OverwriteOptions options) {

    /**
     * A part of the mutation.
     *
     * @param statement its text
     * @param row its values
     */
    record Part(RowStatement statement, TimedRow row) {}

    TimedRow first() {
        return parts.get(0).row();
    }

    /** The rows that it writes. */
    List<TimedRow> rows() {
        return parts.stream()
                .skip(kind == OverwriteKind.PARTITION ? 1 : 0)
                .map(Part::row)
                .distinct()
                .toList();
    }

    long bytes() {
        return parts.stream()
                .map(part -> part.row().values())
                .distinct()
                .mapToLong(RowValues::size)
                .sum();
    }

    List<RowStatement> unprepared() {
        return parts.stream()
                .map(Part::statement)
                .distinct()
                .filter(statement -> !statement.isPrepared())
                .toList();
    }

    List<PreparedStatement> prepared() {
        return parts.stream().map(part -> part.statement().prepared()).toList();
    }

    /** Whether it can be sent: all is prepared, and what deletes a row is right for the table as it is. */
    boolean isReady() {
        return parts.stream().allMatch(part -> part.statement().isPrepared())
                && (kind != OverwriteKind.ROW
                        || parts.stream().allMatch(part -> part.statement().isConfirmed()));
    }

    void confirm() {
        parts.forEach(part -> part.statement().confirm());
    }

    /** The mutation; all must have been prepared. */
    Statement<?> statement() {
        List<BoundStatement> bound =
                parts.stream().map(part -> part.statement().bind(part.row())).toList();
        return bound.size() == 1
                ? configure(bound.get(0))
                : configure(BatchStatement.newInstance(BatchType.UNLOGGED, List.copyOf(bound)));
    }

    <S extends Statement<S>> S configure(S statement) {
        S configured = statement
                // Sent again, a list would grow, and a time to live would begin anew.
                .setIdempotent(target.lists().isEmpty() && !ends(target, first()))
                .setRoutingKeyspace(target.table().getKeyspace())
                .setRoutingKey(first().values().key(target.partitionKey()).toArray(ByteBuffer[]::new));
        return options.consistency() == null ? configured : configured.setConsistencyLevel(options.consistency());
    }

    /** Whether the row has a time to live, of its own or by the table's default. */
    static boolean ends(EntityTable target, TimedRow row) {
        return (row.ttl() == null ? target.secondsToLive() : row.ttl()) > 0;
    }
}
