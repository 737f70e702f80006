package io.surewrite.internal.rows;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentProperty;
import org.springframework.data.cassandra.core.mapping.EmbeddedEntityOperations;

/**
 * A table as the driver's metadata shows it at one time, and the statements on its rows. Thread-safe. Lists of columns are in the order
 * of the table, those of keys in the order of the key.
 *
 * @param regular the columns that each row has for itself, but its key: the next two together
 */
public record RowTable(
        DriverContext driver,
        TableMetadata metadata,
        String qualifiedName,
        List<TableColumn> columns,
        Map<CqlIdentifier, TableColumn> byName,
        List<TableColumn> partitionKey,
        List<TableColumn> primaryKey,
        List<TableColumn> regular,
        List<TableColumn> cells,
        List<TableColumn> multiCells,
        List<TableColumn> statics,
        int secondsToLive,
        Map<Object, RowStatement> statements) {

    private static final CqlIdentifier DEFAULT_TTL = CqlIdentifier.fromInternal("default_time_to_live");

    public static RowTable of(DriverContext driver, TableMetadata metadata) {
        return of(driver, metadata, metadata.getColumns().keySet());
    }

    /** A table with some of its columns, among them the primary key. */
    public static RowTable of(DriverContext driver, TableMetadata metadata, Set<CqlIdentifier> known) {
        List<TableColumn> columns = metadata.getColumns().values().stream()
                .filter(column -> known.contains(column.getName()))
                .map(column -> TableColumn.of(metadata, column))
                .toList();
        Map<CqlIdentifier, TableColumn> byName =
                columns.stream().collect(Collectors.toUnmodifiableMap(TableColumn::name, column -> column));
        return new RowTable(
                driver,
                metadata,
                metadata.getKeyspace().asCql(true) + "." + metadata.getName().asCql(true),
                columns,
                byName,
                inOrderOf(metadata.getPartitionKey(), byName),
                inOrderOf(metadata.getPrimaryKey(), byName),
                some(
                        columns,
                        column -> column.role() == TableColumn.Role.CELL
                                || column.role().isMultiCell()),
                some(columns, column -> column.role() == TableColumn.Role.CELL),
                some(columns, column -> column.role().isMultiCell()),
                some(columns, column -> column.role() == TableColumn.Role.STATIC),
                secondsToLive(metadata),
                new ConcurrentHashMap<>());
    }

    /** By the table's default; 0 if rows do not end. */
    public static int secondsToLive(TableMetadata table) {
        return table.getOptions().get(DEFAULT_TTL) instanceof Number seconds ? seconds.intValue() : 0;
    }

    /** {@return the columns that Spring Data writes when an entity is saved, and what they are mapped to} */
    public static Map<CqlIdentifier, CassandraPersistentProperty> mapped(
            CassandraPersistentEntity<?> entity, CassandraMappingContext mapping) {
        Map<CqlIdentifier, CassandraPersistentProperty> mapped = new LinkedHashMap<>();
        for (CassandraPersistentProperty property : entity) {
            if (property.isCompositePrimaryKey()) {
                mapped.putAll(mapped(mapping.getRequiredPersistentEntity(property), mapping));
            } else if (property.isEmbedded() && property.isWritable()) {
                mapped.putAll(mapped(new EmbeddedEntityOperations(mapping).getEntity(property), mapping));
            } else if (property.isWritable()) {
                mapped.put(property.getRequiredColumnName(), property);
            }
        }
        return mapped;
    }

    private static List<TableColumn> inOrderOf(
            List<? extends ColumnMetadata> key, Map<CqlIdentifier, TableColumn> byName) {
        return key.stream()
                .map(part -> byName.get(part.getName()))
                .filter(Objects::nonNull)
                .toList();
    }

    private static List<TableColumn> some(List<TableColumn> columns, Predicate<TableColumn> wanted) {
        return columns.stream().filter(wanted).toList();
    }

    public List<TableColumn> columns(Predicate<TableColumn> wanted) {
        return some(columns, wanted);
    }

    /** Its name, of which there may be one on each of several clusters. */
    public List<Object> place() {
        return List.of(driver, qualifiedName);
    }

    public TableColumn column(CqlIdentifier name) {
        TableColumn found = byName.get(name);
        if (found == null) {
            throw new IllegalArgumentException("%s has no column %s".formatted(qualifiedName, name.asCql(true)));
        }
        return found;
    }

    public @Nullable ByteBuffer encoded(TableColumn column, Object value) {
        return driver.getCodecRegistry().codecFor(column.type(), value).encode(value, driver.getProtocolVersion());
    }

    public @Nullable Object decoded(TableColumn column, ByteBuffer bytes) {
        // A codec may move the position of what it reads, and the bytes may be needed once more.
        return driver.getCodecRegistry().codecFor(column.type()).decode(bytes.duplicate(), driver.getProtocolVersion());
    }

    /** Made once, and keeps what it was prepared to. */
    public RowStatement statement(Object key, Supplier<RowStatement.Builder> make) {
        RowStatement known = statements.get(key);
        return known != null
                ? known
                : statements.computeIfAbsent(key, absent -> make.get().build());
    }
}
