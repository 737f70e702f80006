package io.surewrite.unique.rows;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataType;
import io.surewrite.cql.settle.ConditionalProfile;
import io.surewrite.cql.settle.ConditionalProfile;
import io.surewrite.unique.UniqueComponent;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueGuard;
import io.surewrite.unique.claims.EntityWrite;
import io.surewrite.unique.claims.Prepared;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.convert.Where;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;

/**
 * The table of an entity type that has unique constraints: turns entities into what a {@link UniqueGuard} writes. Thread
 * safe; nothing here blocks.
 */
public final class ConstrainedTable {

    private final CqlSession session;
    private final CassandraConverter converter;
    private final CassandraPersistentEntity<?> entity;
    private final TableMetadata metadata;
    private final CqlRows rows;
    private final EntityStatements statements;
    private final Prepared prepared;
    private final Statement<?> writeStatement;
    private final Statement<?> deleteStatement;

    /**
     * Looks at a table.
     *
     * @param session where it is
     * @param converter maps entities
     * @param entity the entity type
     * @param metadata the table
     * @param columns the columns that entities write
     * @param constraints all constraints
     * @throws IllegalArgumentException if the table cannot have these constraints; the message says why
     */
    public ConstrainedTable(
            CqlSession session,
            CassandraConverter converter,
            CassandraPersistentEntity<?> entity,
            TableMetadata metadata,
            List<CqlIdentifier> columns,
            List<UniqueConstraint> constraints) {
        this.session = ConditionalProfile.DEFAULT.on(session);
        this.converter = converter;
        this.entity = entity;
        this.metadata = metadata;
        this.rows = CqlRows.of(session, metadata, constraints);
        this.prepared = new Prepared(this.session);
        this.statements = new EntityStatements(
                metadata,
                columns,
                constraints.stream()
                        .flatMap(constraint -> constraint.components().stream())
                        .map(UniqueComponent::column)
                        .collect(Collectors.toSet()));
        this.writeStatement = SimpleStatement.newInstance(statements.insert());
        this.deleteStatement = SimpleStatement.newInstance(statements.delete());
    }

    /**
     * {@return its rows}
     */
    public CqlRows rows() {
        return rows;
    }

    /**
     * A write of a new row, without nulls.
     *
     * @param entity the row
     * @return for {@link UniqueGuard#insert}
     */
    public EntityWrite insert(Object entity) {
        return new EntityRowWrite(this, false, bytes(entity));
    }

    /**
     * A write of a row with its nulls.
     *
     * @param entity the row
     * @return for {@link UniqueGuard#change}
     */
    public EntityWrite save(Object entity) {
        return new EntityRowWrite(this, true, bytes(entity));
    }

    /**
     * A write of a row over what was there.
     *
     * @param entity the row
     * @param writing writes the whole row at a timestamp, at quorum; never blocks
     * @return for {@link UniqueGuard#overwrite}
     */
    public EntityWrite overwrite(Object entity, LongFunction<CompletionStage<Void>> writing) {
        return new EntityRowWrite(this, writing, bytes(entity));
    }

    private Map<CqlIdentifier, ByteBuffer> bytes(Object source) {
        Map<CqlIdentifier, @Nullable Object> values = new LinkedHashMap<>();
        converter.write(source, values, entity);
        requireKey(values);
        requireUnicode(values);
        Map<CqlIdentifier, ByteBuffer> bytes = new HashMap<>();
        for (CqlIdentifier column : statements.columns()) {
            ByteBuffer encoded = encoded(column, values.get(column));
            if (encoded != null) {
                bytes.put(column, encoded);
            }
        }
        return bytes;
    }

    /**
     * The canonical primary key of a row.
     *
     * @param id an entity, or its id: a value, a {@code MapId}, or an instance of the primary key class
     * @return the key, for {@link UniqueGuard#delete}
     */
    public String owner(Object id) {
        Where where = new Where();
        converter.write(id, where, entity);
        requireKey(where);
        return rows.owner(where);
    }

    /**
     * The statement that writes rows, for callbacks and listeners that want to see it.
     *
     * @return the statement, nothing bound
     */
    public Statement<?> writeStatement() {
        return writeStatement;
    }

    /**
     * The statement that deletes rows, for listeners that want to see it.
     *
     * @return the statement, nothing bound
     */
    public Statement<?> deleteStatement() {
        return deleteStatement;
    }

    CqlSession session() {
        return session;
    }

    EntityStatements statements() {
        return statements;
    }

    CompletionStage<PreparedStatement> prepare(String cql) {
        return prepared.get(cql);
    }

    private @Nullable ByteBuffer encoded(CqlIdentifier column, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        DataType type = metadata.getColumn(column).map(ColumnMetadata::getType).orElseThrow();
        return session.getContext()
                .getCodecRegistry()
                .codecFor(type, value)
                .encode(value, session.getContext().getProtocolVersion());
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

    private void requireKey(Map<CqlIdentifier, ? extends @Nullable Object> values) {
        for (CqlIdentifier column : statements.key()) {
            if (values.get(column) == null) {
                throw new InvalidDataAccessApiUsageException("No value for %s of the primary key of %s"
                        .formatted(column.asCql(true), metadata.getName().asCql(true)));
            }
        }
    }
}
