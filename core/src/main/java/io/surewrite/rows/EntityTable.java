package io.surewrite.rows;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.data.UdtValue;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataTypes;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentProperty;
import org.springframework.data.cassandra.core.mapping.EmbeddedEntityOperations;
import org.springframework.data.cassandra.core.mapping.MapId;

/**
 * The table of an entity type, with the columns that entities write, and entities as the encoded values of rows, by Spring
 * Data's own mapping.
 *
 * @param table the table, with these columns alone
 * @param converter maps entities
 * @param entity the entity type
 * @param mapped the columns, and what they are mapped to
 * @param refusals makes the exceptions of all methods
 * @param hasUnmappedColumns whether the row has columns that entities do not write, which a row deletion would erase
 */
public record EntityTable(
        RowTable table,
        CassandraConverter converter,
        CassandraPersistentEntity<?> entity,
        Map<CqlIdentifier, CassandraPersistentProperty> mapped,
        Refusals refusals,
        boolean hasUnmappedColumns) {

    /**
     * The exceptions by which a feature refuses what it cannot write.
     *
     * @param table for a message that says why entities cannot be written to the table
     * @param key for a message that says what is wrong with the key of a row
     * @param value for a message that says which column cannot hold a value, and what the codec says
     */
    public record Refusals(
            Function<String, RuntimeException> table,
            Function<String, RuntimeException> key,
            BiFunction<String, RuntimeException, RuntimeException> value) {}

    /**
     * Looks at the table of an entity type.
     *
     * @param driver has the codecs
     * @param metadata the table
     * @param converter maps entities
     * @param entity the entity type
     * @param refusals makes the exceptions of this and all other methods
     * @return the table
     */
    public static EntityTable of(
            DriverContext driver,
            TableMetadata metadata,
            CassandraConverter converter,
            CassandraPersistentEntity<?> entity,
            Refusals refusals) {
        Map<CqlIdentifier, CassandraPersistentProperty> mapped = propertiesOf(entity, converter.getMappingContext());
        boolean unmapped = metadata.getColumns().values().stream()
                .anyMatch(column -> !column.isStatic() && !mapped.containsKey(column.getName()));
        RowTable table = RowTable.of(driver, metadata, mapped.keySet());
        EntityTable found = new EntityTable(table, converter, entity, mapped, refusals, unmapped);
        found.check();
        return found;
    }

    /**
     * The columns that are written when an entity is saved.
     *
     * @param entity its type
     * @param mapping knows the types of its parts
     * @return the columns
     */
    public static Set<CqlIdentifier> columnsOf(CassandraPersistentEntity<?> entity, CassandraMappingContext mapping) {
        return propertiesOf(entity, mapping).keySet();
    }

    private static Map<CqlIdentifier, CassandraPersistentProperty> propertiesOf(
            CassandraPersistentEntity<?> entity, CassandraMappingContext mapping) {
        Map<CqlIdentifier, CassandraPersistentProperty> mapped = new LinkedHashMap<>();
        for (CassandraPersistentProperty property : entity) {
            if (property.isCompositePrimaryKey()) {
                mapped.putAll(propertiesOf(mapping.getRequiredPersistentEntity(property), mapping));
            } else if (property.isEmbedded() && property.isWritable()) {
                mapped.putAll(propertiesOf(new EmbeddedEntityOperations(mapping).getEntity(property), mapping));
            } else if (property.isWritable()) {
                mapped.put(property.getRequiredColumnName(), property);
            }
        }
        return mapped;
    }

    private void check() {
        for (CqlIdentifier column : mapped.keySet()) {
            if (!table.metadata().getColumns().containsKey(column)) {
                throw refusals.table()
                        .apply("%s maps the column %s, which %s does not have"
                                .formatted(entity.getName(), column.asCql(true), table.qualifiedName()));
            }
        }
        for (ColumnMetadata key : table.metadata().getPrimaryKey()) {
            if (!mapped.containsKey(key.getName())) {
                throw refusals.table()
                        .apply("%s does not map %s of the primary key of %s"
                                .formatted(entity.getName(), key.getName().asCql(true), table.qualifiedName()));
            }
        }
        if (table.columns().stream().anyMatch(column -> column.type().equals(DataTypes.COUNTER))) {
            throw refusals.table()
                    .apply(table.qualifiedName() + " holds counters, which can only be counted, not written");
        }
    }

    /**
     * What Spring Data would write.
     *
     * @param source an entity
     * @return the columns, with values that codecs of the session take
     */
    public Map<CqlIdentifier, @Nullable Object> values(Object source) {
        Map<CqlIdentifier, @Nullable Object> values = new LinkedHashMap<>();
        converter.write(source, values, entity);
        return values;
    }

    /**
     * Encodes a row.
     *
     * @param values what {@link #values} returned
     * @return the row, with a valid primary key
     */
    public TimedRow row(Map<CqlIdentifier, @Nullable Object> values) {
        TimedRow row = encoded(table.columns(), values);
        for (TableColumn column : table.primaryKey()) {
            if (!row.has(column)) {
                throw refusals.key()
                        .apply("An entity of %s has no value for %s of the primary key of %s."
                                .formatted(entity.getName(), column.cql(), table.qualifiedName()));
            }
        }
        requirePartitionKey(row, "The partition key of an entity of " + entity.getName());
        return row;
    }

    /**
     * Encodes a partition key.
     *
     * @param key its value; a {@link MapId}, or an instance of the primary key class, if it has several columns
     * @return the partition key alone
     */
    public TimedRow partition(Object key) {
        TimedRow partition = encoded(table.partitionKey(), parts(key));
        requirePartitionKey(partition, "The partition key given");
        return partition;
    }

    private Map<CqlIdentifier, @Nullable Object> parts(Object key) {
        Map<CqlIdentifier, @Nullable Object> parts = new LinkedHashMap<>();
        CassandraPersistentEntity<?> keyClass = converter.getMappingContext().getPersistentEntity(key.getClass());
        if (keyClass != null && keyClass.isCompositePrimaryKey()) {
            converter.write(key, parts, keyClass);
        } else if (key instanceof MapId named) {
            for (TableColumn column : table.partitionKey()) {
                Object value = named.get(property(column).getName());
                parts.put(
                        column.name(),
                        converted(
                                value != null ? value : named.get(column.name().asInternal()), column));
            }
        } else if (table.partitionKey().size() == 1) {
            TableColumn column = table.partitionKey().get(0);
            parts.put(column.name(), converted(key, column));
        }
        return parts;
    }

    private @Nullable Object converted(@Nullable Object value, TableColumn column) {
        return value == null
                ? null
                : converter.convertToColumnType(
                        value, converter.getColumnTypeResolver().resolve(property(column)));
    }

    private CassandraPersistentProperty property(TableColumn column) {
        return Objects.requireNonNull(mapped.get(column.name()));
    }

    private TimedRow encoded(List<TableColumn> wanted, Map<CqlIdentifier, @Nullable Object> values) {
        TimedRow row = new TimedRow();
        for (TableColumn column : wanted) {
            Object value = values.get(column.name());
            ByteBuffer bytes = value == null || isEmpty(value, column) ? null : checked(column, value);
            if (bytes != null) {
                row.put(column, bytes);
                for (int i = 0; i < column.fieldCount(); i++) {
                    ByteBuffer field = value instanceof UdtValue udt ? udt.getBytesUnsafe(i) : null;
                    if (field != null) {
                        row.putField(column, i, field);
                    }
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
            throw refusals.value()
                    .apply(
                            "Column %s of %s, which is %s, cannot hold the value given: %s. Collections hold no nulls, and vectors have all their dimensions."
                                    .formatted(
                                            column.cql(),
                                            table.qualifiedName(),
                                            column.type().asCql(true, true),
                                            wrong.getMessage()),
                            wrong);
        }
    }

    private void requirePartitionKey(TimedRow row, String what) {
        if (!row.hasAll(table.partitionKey())) {
            throw refusals.key()
                    .apply("%s has no value for one of the partition key's columns of %s, which are %s."
                            .formatted(
                                    what,
                                    table.qualifiedName(),
                                    table.partitionKey().stream()
                                            .map(TableColumn::cql)
                                            .collect(Collectors.joining(", "))));
        }
        boolean empty = table.partitionKey().size() == 1
                && !row.key(table.partitionKey()).get(0).hasRemaining();
        if (empty) {
            throw refusals.key().apply(what + " is empty, which Cassandra does not allow.");
        }
    }
}
