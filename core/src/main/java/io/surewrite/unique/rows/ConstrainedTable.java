package io.surewrite.unique.rows;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import io.surewrite.rows.EntityTable;
import io.surewrite.rows.RowStatement;
import io.surewrite.rows.RowTable;
import io.surewrite.rows.TableColumn;
import io.surewrite.rows.TimedRow;
import io.surewrite.unique.UniqueComponent;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueValue;
import io.surewrite.unique.claims.ClaimingGuard;
import io.surewrite.unique.claims.EntityWrite;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.convert.Where;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;

/**
 * The table of an entity type that has unique constraints: turns entities into what a {@link ClaimingGuard} writes. Thread
 * safe; nothing here blocks.
 *
 * @param table with the columns that entities write
 * @param rows its rows
 * @param insert writes a new row, without nulls unless its primary key is a value
 * @param insertWithNulls writes a row with its nulls
 * @param writeStatement writes rows, for callbacks and listeners that want to see it, nothing bound
 * @param deleteStatement deletes rows, for listeners likewise
 * @param untried columns of values whose conversion was not tried twice yet
 */
public record ConstrainedTable(
        EntityTable table,
        CqlRows rows,
        RowStatement insert,
        RowStatement insertWithNulls,
        Statement<?> writeStatement,
        Statement<?> deleteStatement,
        Set<CqlIdentifier> untried) {

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
        RowTable table = mapped.table();
        RowStatement insertWithNulls = new RowStatement.Builder(table)
                .insert(table.columns(), column -> !column.role().isKey())
                .build();
        // Who knows a row by its natural key may write it at the same time: then nulls must win, too. Takeovers tell by
        // constrained columns when the row was written.
        RowStatement insert = rows.naturalKeys().isEmpty()
                ? new RowStatement.Builder(table)
                        .insert(
                                table.columns(),
                                column -> !column.role().isKey()
                                        && rows.constrained().contains(column.name()))
                        .build()
                : insertWithNulls;
        return new ConstrainedTable(
                mapped,
                rows,
                insert,
                insertWithNulls,
                SimpleStatement.newInstance(insert.cql()),
                SimpleStatement.newInstance(rows.deleteStatement().cql()),
                untried(rows));
    }

    private static Set<CqlIdentifier> untried(CqlRows rows) {
        Set<CqlIdentifier> untried = ConcurrentHashMap.newKeySet();
        untried.addAll(rows.constrained());
        return untried;
    }

    /**
     * A write of a new row.
     *
     * @param entity the row
     * @return for {@link ClaimingGuard#insertAsync}
     */
    public EntityWrite insert(Object entity) {
        TimedRow row = row(entity);
        return new Write(row, timestamp -> send(insert, row, timestamp));
    }

    /**
     * A write of a row with its nulls.
     *
     * @param entity the row
     * @return for {@link ClaimingGuard#changeAsync}
     */
    public EntityWrite save(Object entity) {
        TimedRow row = row(entity);
        return new Write(row, timestamp -> send(insertWithNulls, row, timestamp));
    }

    /**
     * A write of a row over what was there.
     *
     * @param entity the row
     * @param writing writes the whole row at a timestamp, at quorum; never blocks
     * @return for {@link ClaimingGuard#overwriteAsync}
     */
    public EntityWrite overwrite(Object entity, LongFunction<CompletionStage<Void>> writing) {
        return new Write(row(entity), writing);
    }

    private TimedRow row(Object entity) {
        Map<CqlIdentifier, @Nullable Object> values = table.values(entity);
        requireUnicode(values);
        TimedRow row = table.row(values);
        for (CqlIdentifier column : untried) {
            requireSteady(entity, row, column);
        }
        return row;
    }

    /** A cipher with a random start makes another value of the same text each time: then no two rows have the same. */
    private void requireSteady(Object entity, TimedRow row, CqlIdentifier name) {
        TableColumn column = table.table().column(name);
        ByteBuffer value = row.get(column);
        if (value == null) {
            return;
        }
        if (!value.equals(table.row(table.values(entity)).get(column))) {
            throw new InvalidDataAccessApiUsageException(
                    ("%s of %s is converted to another value each time, so that no two rows could be seen to have the same."
                                    + " Fix: convert it to the same value each time, or make a hash of it, in a column of its"
                                    + " own, unique")
                            .formatted(
                                    name.asCql(true), table.entity().getType().getSimpleName()));
        }
        untried.remove(name);
    }

    /** Before they are encoded, which only says that something is wrong. */
    private void requireUnicode(Map<CqlIdentifier, ? extends @Nullable Object> values) {
        for (UniqueConstraint constraint : rows.constraints()) {
            for (UniqueComponent component : constraint.components()) {
                if (component.fields().isEmpty() && values.get(component.column()) instanceof CharSequence text) {
                    constraint.requireUnicode(text.toString(), component);
                }
            }
        }
    }

    private CompletionStage<Void> send(RowStatement statement, TimedRow row, long timestamp) {
        return rows.send(statement, row.at(timestamp, null)).thenAccept(sent -> {});
    }

    /**
     * The canonical primary key of a row.
     *
     * @param id an entity, or its id: a value, a {@code MapId}, or an instance of the primary key class
     * @return the key, for {@link ClaimingGuard#deleteAsync}
     */
    public String owner(Object id) {
        Where where = new Where();
        table.converter().write(id, where, table.entity());
        return rows.owner(where);
    }

    /** The row of one entity on its way into the table. */
    private final class Write implements EntityWrite {

        private final TimedRow row;
        private final LongFunction<CompletionStage<Void>> writing;
        private final IdentityHashMap<UniqueConstraint, UniqueValue> constrained = new IdentityHashMap<>();
        private final String owner;

        /**
         * @param writing writes the whole row at a timestamp
         */
        Write(TimedRow row, LongFunction<CompletionStage<Void>> writing) {
            this.row = row;
            this.writing = writing;
            this.owner = rows.owner(row::get);
        }

        @Override
        public String owner() {
            return owner;
        }

        @Override
        public UniqueValue value(UniqueConstraint constraint) {
            return constrained.computeIfAbsent(constraint, missing -> rows.value(missing, row::get));
        }

        @Override
        public CompletionStage<Void> write(long timestamp) {
            return writing.apply(timestamp);
        }
    }
}
