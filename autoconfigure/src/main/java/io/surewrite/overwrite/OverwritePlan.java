package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
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
record OverwritePlan(OverwriteTarget target, OverwriteKind kind, List<Part> parts, OverwriteOptions options) {

    /**
     * A statement.
     *
     * @param shape its text
     * @param write its values
     */
    record Part(Shape shape, RowWrite write) {}

    RowWrite first() {
        return parts.get(0).write();
    }

    /** The rows that it writes. */
    List<RowWrite> rows() {
        return parts.stream()
                .skip(kind == OverwriteKind.PARTITION ? 1 : 0)
                .map(Part::write)
                .distinct()
                .toList();
    }

    long bytes() {
        return parts.stream()
                .map(Part::write)
                .map(RowWrite::values)
                .distinct()
                .mapToLong(RowValues::size)
                .sum();
    }

    List<Shape> unprepared() {
        return parts.stream()
                .map(Part::shape)
                .distinct()
                .filter(shape -> !shape.isPrepared())
                .toList();
    }

    List<PreparedStatement> prepared() {
        return parts.stream().map(part -> part.shape().prepared()).toList();
    }

    /** Whether it can be sent: all is prepared, and what deletes a row is right for the table as it is. */
    boolean isReady() {
        return parts.stream().allMatch(part -> part.shape().isPrepared())
                && (kind != OverwriteKind.ROW
                        || parts.stream().allMatch(part -> part.shape().isConfirmed()));
    }

    void confirm() {
        parts.forEach(part -> part.shape().confirm());
    }

    /** The mutation; every shape must have been prepared. */
    Statement<?> statement() {
        List<BoundStatement> bound =
                parts.stream().map(part -> part.shape().bind(part.write())).toList();
        return bound.size() == 1
                ? configure(bound.get(0))
                : configure(BatchStatement.newInstance(BatchType.UNLOGGED, List.copyOf(bound)));
    }

    <S extends Statement<S>> S configure(S statement) {
        S configured = statement
                // Sent again, a list would grow, and a time to live would begin anew.
                .setIdempotent(target.lists().isEmpty() && !first().ends())
                .setRoutingKeyspace(target.table().getKeyspace())
                .setRoutingKey(first().values().key(target.partitionKey()).toArray(ByteBuffer[]::new));
        return options.consistency() == null ? configured : configured.setConsistencyLevel(options.consistency());
    }
}
