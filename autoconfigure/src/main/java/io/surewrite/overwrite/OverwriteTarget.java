package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.CqlIdentifier;
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

/** An entity's table: the columns that the entity writes, and whether there are others. */
final class OverwriteTarget {

    private final CassandraPersistentEntity<?> entity;
    private final TableMetadata table;
    private final Map<CqlIdentifier, CassandraPersistentProperty> mapped;
    private final List<TargetColumn> columns;
    private final boolean unmapped;
    private final Map<ShapeKind, Shape> shapes = new ConcurrentHashMap<>();

    OverwriteTarget(
            CassandraPersistentEntity<?> entity,
            TableMetadata table,
            Map<CqlIdentifier, CassandraPersistentProperty> mapped) {
        this.entity = entity;
        this.table = table;
        this.mapped = mapped;
        this.columns = table.getColumns().values().stream()
                .filter(column -> mapped.containsKey(column.getName()))
                .map(column -> new TargetColumn(column.getName(), column.getType(), ColumnRole.of(table, column)))
                .toList();
        this.unmapped = table.getColumns().values().stream()
                .anyMatch(column -> !column.isStatic() && !mapped.containsKey(column.getName()));
    }

    CassandraPersistentEntity<?> entity() {
        return entity;
    }

    TableMetadata table() {
        return table;
    }

    String qualifiedName() {
        return table.getKeyspace().asCql(true) + "." + table.getName().asCql(true);
    }

    CassandraPersistentProperty property(TargetColumn column) {
        return Objects.requireNonNull(mapped.get(column.name()));
    }

    List<TargetColumn> columns() {
        return columns;
    }

    List<TargetColumn> columns(Predicate<ColumnRole> role) {
        return columns.stream().filter(column -> role.test(column.role())).toList();
    }

    List<TargetColumn> cells() {
        return columns(role -> role == ColumnRole.CELL);
    }

    List<TargetColumn> partitionKey() {
        return inOrderOf(table.getPartitionKey());
    }

    List<TargetColumn> primaryKey() {
        return inOrderOf(table.getPrimaryKey());
    }

    boolean has(Predicate<ColumnRole> role) {
        return columns.stream().anyMatch(column -> role.test(column.role()));
    }

    /** Whether the row has columns that the entity does not write, which a row deletion would erase. */
    boolean hasUnmappedColumns() {
        return unmapped;
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
