package io.surewrite.unique.rows;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.rows.EntityTable;
import io.surewrite.rows.RowStatement;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.claims.ClaimingGuard;
import io.surewrite.unique.claims.EntityWrite;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;

/**
 * The table of an entity type that has unique constraints: what is to be known of an entity, and not of its statement.
 * Thread safe; nothing here blocks.
 *
 * @param table with the columns that entities write
 * @param rows its rows
 * @param writeStatement writes rows, for callbacks and listeners that want to see it, nothing bound
 * @param untried columns of values whose conversion was not tried twice yet
 */
public record ConstrainedTable(
        EntityTable table, CqlRows rows, Statement<?> writeStatement, Set<CqlIdentifier> untried) {

    private static final EntityTable.Refusals REFUSALS = new EntityTable.Refusals(
            IllegalArgumentException::new,
            InvalidDataAccessApiUsageException::new,
            InvalidDataAccessApiUsageException::new);

    /**
     * Looks at a table.
     *
     * @param session where it is
     * @param converter maps entities
     * @param entity the entity type
     * @param metadata the table
     * @param constraints all constraints
     * @return the table
     * @throws IllegalArgumentException if entities cannot be written to the table, or it cannot have these constraints;
     *     the message says why
     */
    public static ConstrainedTable of(
            CqlSession session,
            CassandraConverter converter,
            CassandraPersistentEntity<?> entity,
            TableMetadata metadata,
            List<UniqueConstraint> constraints) {
        CqlRows rows = CqlRows.of(session, metadata, constraints);
        EntityTable mapped = EntityTable.of(session.getContext(), metadata, converter, entity, REFUSALS);
        RowStatement insert = new RowStatement.Builder(mapped.table())
                .insert(mapped.table().columns(), column -> true)
                .build();
        Set<CqlIdentifier> untried = ConcurrentHashMap.newKeySet();
        untried.addAll(rows.constrained());
        return new ConstrainedTable(mapped, rows, SimpleStatement.newInstance(insert.cql()), untried);
    }

    /**
     * A write of a row over what was there.
     *
     * @param entity the row
     * @param writing writes the whole row at a timestamp, at quorum; never blocks
     * @return for {@link ClaimingGuard#overwriteAsync}
     */
    public EntityWrite overwrite(Object entity, LongFunction<CompletionStage<Void>> writing) {
        requireSteady(entity);
        return new EntityRow(rows, table.row(table.values(entity)), writing);
    }

    /** {@return whether {@link #requireSteady} has nothing left to look at} */
    public boolean isTried() {
        return untried.isEmpty();
    }

    /**
     * Refuses a cipher with a random start, which makes another value of the same text each time: then no two rows have the
     * same. Each column is looked at once.
     *
     * @param entity the row
     */
    public void requireSteady(Object entity) {
        if (isTried()) {
            return;
        }
        Map<CqlIdentifier, @Nullable Object> once = table.values(entity);
        Map<CqlIdentifier, @Nullable Object> again = table.values(entity);
        untried.removeIf(name -> {
            Object value = once.get(name);
            if (value != null && !Objects.equals(encoded(name, value), encoded(name, again.get(name)))) {
                throw new InvalidDataAccessApiUsageException(
                        ("%s of %s is converted to another value each time, so that no two rows could be seen to have the same."
                                        + " Fix: convert it to the same value each time, or make a hash of it, in a column of its"
                                        + " own, unique")
                                .formatted(
                                        name.asCql(true),
                                        table.entity().getType().getSimpleName()));
            }
            return value != null;
        });
    }

    private @Nullable ByteBuffer encoded(CqlIdentifier name, @Nullable Object value) {
        return value == null ? null : table.table().encoded(table.table().column(name), value);
    }
}
