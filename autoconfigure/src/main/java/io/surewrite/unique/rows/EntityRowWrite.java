package io.surewrite.unique.rows;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueValue;
import io.surewrite.unique.claims.EntityWrite;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;

/** The row of one entity on its way into its table. */
final class EntityRowWrite implements EntityWrite {

    private final ConstrainedTable table;
    private final LongFunction<CompletionStage<Void>> writing;
    private final Map<CqlIdentifier, ByteBuffer> bytes;
    private final IdentityHashMap<UniqueConstraint, UniqueValue> constrained = new IdentityHashMap<>();
    private final String owner;

    /**
     * @param withNulls whether nulls are written as nulls; otherwise not at all, for rows that are new
     * @param bytes the columns, encoded; nulls are missing
     */
    EntityRowWrite(ConstrainedTable table, boolean withNulls, Map<CqlIdentifier, ByteBuffer> bytes) {
        this.table = table;
        this.writing = timestamp -> insert(timestamp, withNulls);
        this.bytes = bytes;
        this.owner = table.rows().ownerOf(bytes);
    }

    /**
     * @param writing writes the whole row at a timestamp
     */
    EntityRowWrite(
            ConstrainedTable table, LongFunction<CompletionStage<Void>> writing, Map<CqlIdentifier, ByteBuffer> bytes) {
        this.table = table;
        this.writing = writing;
        this.bytes = bytes;
        this.owner = table.rows().ownerOf(bytes);
    }

    @Override
    public String owner() {
        return owner;
    }

    @Override
    public UniqueValue value(UniqueConstraint constraint) {
        return constrained.computeIfAbsent(constraint, missing -> table.rows().valueOf(missing, bytes));
    }

    @Override
    public CompletionStage<Void> write(long timestamp) {
        return writing.apply(timestamp);
    }

    private CompletionStage<Void> insert(long timestamp, boolean withNulls) {
        return table.prepare(table.statements().insert())
                .thenCompose(insert -> send(inserted(insert, timestamp, withNulls)));
    }

    private BoundStatement inserted(PreparedStatement insert, long timestamp, boolean withNulls) {
        List<CqlIdentifier> columns = table.statements().columns();
        return bound(insert.boundStatementBuilder().setLong(columns.size(), timestamp), 0, columns, withNulls)
                .build();
    }

    @Override
    public CompletionStage<Void> writeOthers(long timestamp) {
        List<CqlIdentifier> others = table.statements().others();
        if (others.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return table.prepare(table.statements().updateOthers()).thenCompose(update -> {
            BoundStatementBuilder set = bound(update.boundStatementBuilder().setLong(0, timestamp), 1, others, true);
            return send(bound(set, 1 + others.size(), table.statements().key(), false)
                    .build());
        });
    }

    /** A null that is not bound is not written at all. */
    private BoundStatementBuilder bound(
            BoundStatementBuilder statement, int from, List<CqlIdentifier> columns, boolean withNulls) {
        BoundStatementBuilder bound = statement;
        for (int i = 0; i < columns.size(); i++) {
            ByteBuffer value = bytes.get(columns.get(i));
            if (value != null) {
                bound = bound.setBytesUnsafe(from + i, value);
            } else if (withNulls) {
                bound = bound.setToNull(from + i);
            }
        }
        return bound;
    }

    private CompletionStage<Void> send(Statement<?> statement) {
        return table.session()
                .executeAsync(statement
                        .setExecutionProfileName(ConditionalWrites.PROFILE)
                        .setIdempotent(true))
                .thenAccept(sent -> {});
    }
}
