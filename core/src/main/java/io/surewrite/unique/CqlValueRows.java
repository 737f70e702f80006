package io.surewrite.unique;

import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.internal.session.Prepared;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The values of one constraint that are no columns of an entity, in a table of ours: one row an owner, as if each owner
 * were an entity with one column.
 */
record CqlValueRows(Prepared prepared, UniqueConstraint constraint) implements ConstrainedRows {

    private static final String READ = """
            SELECT value, WRITETIME(value) FROM %s WHERE constraint_name = :constraint_name AND owner = :owner""";

    private static final String WRITE = """
            UPDATE %s USING TIMESTAMP :timestamp SET value = :value
            WHERE constraint_name = :constraint_name AND owner = :owner""";

    private static final String DELETE = """
            DELETE FROM %s USING TIMESTAMP :timestamp WHERE constraint_name = :constraint_name AND owner = :owner""";

    @Override
    public List<UniqueConstraint> constraints() {
        return List.of(constraint);
    }

    @Override
    public boolean isNaturalKey(UniqueConstraint which) {
        return false;
    }

    @Override
    public String rowClaim() {
        return "owner of " + constraint.name();
    }

    @Override
    public CompletionStage<RowSnapshot> read(String owner) {
        return prepared.send(READ, bound -> keyed(bound, owner)).thenApply(result -> snapshot(owner, result.one()));
    }

    private RowSnapshot snapshot(String owner, @Nullable Row row) {
        String value = row == null ? null : row.getString(0);
        return value == null || row == null
                ? new Snapshot(owner, RowSnapshot.NEVER, Optional.empty())
                : new Snapshot(owner, row.getLong(1), Optional.of(UniqueValue.decode(value)));
    }

    private record Snapshot(String owner, long newestWrite, Optional<UniqueValue> value) implements RowSnapshot {

        @Override
        public boolean exists() {
            return value.isPresent();
        }

        @Override
        public Optional<UniqueValue> value(UniqueConstraint constraint) {
            return value;
        }

        @Override
        public long writtenAt(UniqueConstraint constraint, int component) {
            return newestWrite;
        }
    }

    @Override
    public CompletionStage<Void> delete(String owner, long timestamp) {
        return send(DELETE, owner, timestamp, bound -> bound);
    }

    @Override
    public CompletionStage<Void> restore(RowSnapshot row, long timestamp) {
        return write(row.owner(), row.value(constraint).orElseThrow()).writing().apply(timestamp);
    }

    EntityWrite write(String owner, UniqueValue value) {
        return new EntityWrite(
                owner,
                which -> value,
                timestamp -> send(WRITE, owner, timestamp, bound -> bound.setString("value", value.encoded())));
    }

    private CompletionStage<Void> send(
            String cql, String owner, long timestamp, UnaryOperator<BoundStatementBuilder> values) {
        return prepared.send(cql, bound -> values.apply(keyed(bound, owner).setLong("timestamp", timestamp)))
                .thenAccept(done -> {});
    }

    private BoundStatementBuilder keyed(BoundStatementBuilder bound, String owner) {
        return bound.setString("constraint_name", constraint.name()).setString("owner", owner);
    }
}
