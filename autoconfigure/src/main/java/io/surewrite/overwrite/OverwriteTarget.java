package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentProperty;

/** An entity's table: the columns that the entity writes, by their roles, and whether there are others. */
final class OverwriteTarget {

    private static final CqlIdentifier DEFAULT_TTL = CqlIdentifier.fromInternal("default_time_to_live");

    private final CassandraPersistentEntity<?> entity;
    private final TableMetadata table;
    private final String qualifiedName;
    private final Place place;
    private final Map<CqlIdentifier, CassandraPersistentProperty> mapped;
    private final List<TargetColumn> columns;
    private final List<TargetColumn> partitionKey;
    private final List<TargetColumn> primaryKey;
    private final List<TargetColumn> cells;
    private final List<TargetColumn> multiCells;
    private final List<TargetColumn> statics;
    private final List<TargetColumn> lists;
    private final boolean unmapped;
    private final boolean rowsEnd;
    private final Map<ShapeKind, Shape> shapes = new ConcurrentHashMap<>();

    OverwriteTarget(
            DriverContext session,
            CassandraPersistentEntity<?> entity,
            TableMetadata table,
            Map<CqlIdentifier, CassandraPersistentProperty> mapped) {
        this.entity = entity;
        this.table = table;
        this.qualifiedName =
                table.getKeyspace().asCql(true) + "." + table.getName().asCql(true);
        this.place = new Place(session, qualifiedName);
        this.mapped = mapped;
        this.columns = table.getColumns().values().stream()
                .filter(column -> mapped.containsKey(column.getName()))
                .map(column -> new TargetColumn(column.getName(), column.getType(), ColumnRole.of(table, column)))
                .toList();
        this.partitionKey = inOrderOf(table.getPartitionKey());
        this.primaryKey = inOrderOf(table.getPrimaryKey());
        this.cells = columns(role -> role == ColumnRole.CELL);
        this.multiCells = columns(ColumnRole::isMultiCell);
        this.statics = columns(role -> role == ColumnRole.STATIC);
        this.lists = columns.stream().filter(TargetColumn::isList).toList();
        this.unmapped = table.getColumns().values().stream()
                .anyMatch(column -> !column.isStatic() && !mapped.containsKey(column.getName()));
        this.rowsEnd = table.getOptions().get(DEFAULT_TTL) instanceof Number seconds && seconds.longValue() > 0;
    }

    CassandraPersistentEntity<?> entity() {
        return entity;
    }

    TableMetadata table() {
        return table;
    }

    String qualifiedName() {
        return qualifiedName;
    }

    Place place() {
        return place;
    }

    /** A table, of which there may be one on each of several clusters. */
    record Place(DriverContext session, String table) {}

    CassandraPersistentProperty property(TargetColumn column) {
        return Objects.requireNonNull(mapped.get(column.name()));
    }

    List<TargetColumn> columns() {
        return columns;
    }

    List<TargetColumn> columns(Predicate<ColumnRole> role) {
        return columns.stream().filter(column -> role.test(column.role())).toList();
    }

    List<TargetColumn> partitionKey() {
        return partitionKey;
    }

    List<TargetColumn> primaryKey() {
        return primaryKey;
    }

    List<TargetColumn> cells() {
        return cells;
    }

    List<TargetColumn> multiCells() {
        return multiCells;
    }

    List<TargetColumn> statics() {
        return statics;
    }

    /** Columns that are non-frozen lists, whatever their role. */
    List<TargetColumn> lists() {
        return lists;
    }

    /** Whether the row has columns that the entity does not write, which a row deletion would erase. */
    boolean hasUnmappedColumns() {
        return unmapped;
    }

    /** Whether rows have a time to live by the table's default. */
    boolean rowsEnd() {
        return rowsEnd;
    }

    Shape shape(ShapeKind kind, Function<OverwriteTarget, Shape> make) {
        return shapes.computeIfAbsent(kind, absent -> make.apply(this));
    }

    private List<TargetColumn> inOrderOf(List<? extends ColumnMetadata> key) {
        return key.stream()
                .flatMap(part -> columns.stream().filter(column -> column.name().equals(part.getName())))
                .toList();
    }
}
