package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataTypes;
import io.surewrite.internal.rows.RowTable;
import io.surewrite.internal.rows.TableColumn;
import io.surewrite.internal.rows.TimedRow;
import io.surewrite.overwrite.OverwriteException.Reason;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.convert.ColumnType;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentProperty;
import org.springframework.data.cassandra.core.mapping.MapId;

/**
 * The table of an entity type, with the columns that entities write alone: a row deletion would erase others. Makes rows of
 * entities by Spring Data's own mapping.
 */
record EntityTable(
        RowTable table,
        CassandraConverter converter,
        CassandraPersistentEntity<?> entity,
        Map<CqlIdentifier, CassandraPersistentProperty> mapped,
        boolean hasUnmappedColumns) {

    static EntityTable of(
            DriverContext driver,
            TableMetadata metadata,
            CassandraConverter converter,
            CassandraPersistentEntity<?> entity) {
        Map<CqlIdentifier, CassandraPersistentProperty> mapped = RowTable.mapped(entity, converter.getMappingContext());
        boolean unmapped = metadata.getColumns().values().stream()
                .anyMatch(column -> !column.isStatic() && !mapped.containsKey(column.getName()));
        RowTable table = RowTable.of(driver, metadata, mapped.keySet());
        EntityTable found = new EntityTable(table, converter, entity, mapped, unmapped);
        found.check();
        return found;
    }

    private void check() {
        for (CqlIdentifier column : mapped.keySet()) {
            if (!table.metadata().getColumns().containsKey(column)) {
                throw OverwriteException.unsupported(
                        "%s maps the column %s, which %s does not have. Fix: add the column, or do not map it."
                                .formatted(entity.getName(), column.asCql(true), table.qualifiedName()));
            }
        }
        for (ColumnMetadata key : table.metadata().getPrimaryKey()) {
            if (!mapped.containsKey(key.getName())) {
                throw OverwriteException.unsupported("%s does not map %s of the primary key of %s. Fix: map it."
                        .formatted(entity.getName(), key.getName().asCql(true), table.qualifiedName()));
            }
        }
        if (table.columns().stream().anyMatch(column -> column.type().equals(DataTypes.COUNTER))) {
            throw OverwriteException.unsupported(table.qualifiedName()
                    + " holds counters, which can only be counted, not written. Fix: save without overwriting.");
        }
        for (TableColumn list : table.columns(TableColumn::isList)) {
            throw new OverwriteException(
                    Reason.NON_FROZEN_LIST,
                    "Column %s of %s is a non-frozen list: a repeated write would duplicate the elements, because the server invents a key for each of them. Fix: make it frozen, or a set; or save without overwriting."
                            .formatted(list.cql(), table.qualifiedName()));
        }
    }

    TimedRow row(Object source) {
        Map<CqlIdentifier, @Nullable Object> values = new LinkedHashMap<>();
        converter.write(source, values, entity);
        TimedRow row = encoded(table.columns(), values);
        requireKey(row, table.primaryKey(), "An entity of " + entity.getName());
        return row;
    }

    TimedRow partition(Object key) {
        TimedRow partition = encoded(table.partitionKey(), parts(key));
        requireKey(partition, table.partitionKey(), "The partition key given");
        return partition;
    }

    /** A map's names are those of properties or columns. */
    private Map<CqlIdentifier, @Nullable Object> parts(Object key) {
        Map<CqlIdentifier, @Nullable Object> parts = new LinkedHashMap<>();
        CassandraPersistentEntity<?> keyClass = converter.getMappingContext().getPersistentEntity(key.getClass());
        if (keyClass != null && keyClass.isCompositePrimaryKey()) {
            converter.write(key, parts, keyClass);
            return parts;
        }
        Object alone = table.partitionKey().size() == 1 ? key : null;
        for (TableColumn column : table.partitionKey()) {
            CassandraPersistentProperty property = Objects.requireNonNull(mapped.get(column.name()));
            Object value = key instanceof MapId named
                    ? named.getOrDefault(
                            property.getName(), named.get(column.name().asInternal()))
                    : alone;
            if (value != null) {
                ColumnType type = converter.getColumnTypeResolver().resolve(property);
                parts.put(column.name(), converter.convertToColumnType(value, type));
            }
        }
        return parts;
    }

    private TimedRow encoded(List<TableColumn> wanted, Map<CqlIdentifier, @Nullable Object> values) {
        TimedRow row = new TimedRow();
        for (TableColumn column : wanted) {
            Object value = values.get(column.name());
            if (value != null && !isEmpty(value, column)) {
                ByteBuffer bytes = checked(column, value);
                if (bytes != null) {
                    row.put(column, bytes);
                }
            }
        }
        return row;
    }

    private static boolean isEmpty(Object value, TableColumn column) {
        return TableColumn.isMultiCell(column.type())
                && ((value instanceof Collection<?> elements && elements.isEmpty())
                        || (value instanceof Map<?, ?> entries && entries.isEmpty()));
    }

    private @Nullable ByteBuffer checked(TableColumn column, Object value) {
        try {
            return table.encoded(column, value);
        } catch (RuntimeException wrong) { // a codec may throw any
            throw new OverwriteException(
                    Reason.INVALID_VALUE,
                    "Column %s of %s, which is %s, cannot hold the value given: %s. Fix: give one of its type; collections hold no nulls, and vectors have all their dimensions."
                            .formatted(
                                    column.cql(),
                                    table.qualifiedName(),
                                    column.type().asCql(true, true),
                                    wrong.getMessage()),
                    wrong);
        }
    }

    private void requireKey(TimedRow row, List<TableColumn> key, String what) {
        for (TableColumn column : key) {
            if (!row.has(column)) {
                throw new OverwriteException(
                        Reason.MISSING_KEY,
                        "%s has no value for %s of the primary key of %s. Fix: give it one."
                                .formatted(what, column.cql(), table.qualifiedName()));
            }
        }
        if (table.partitionKey().size() == 1
                && !row.key(table.partitionKey()).get(0).hasRemaining()) {
            throw new OverwriteException(
                    Reason.MISSING_KEY,
                    what + " has an empty partition key, which Cassandra does not allow. Fix: give it a value.");
        }
    }
}
