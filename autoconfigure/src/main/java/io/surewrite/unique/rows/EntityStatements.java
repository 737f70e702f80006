package io.surewrite.unique.rows;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The statements that write rows of an entity's columns, with markers by position. */
final class EntityStatements {

    private final TableMetadata table;
    private final List<CqlIdentifier> columns;
    private final List<CqlIdentifier> key;
    private final List<CqlIdentifier> others;
    private final String insert;
    private final String updateOthers;
    private final String delete;

    /**
     * @param columns what entities write, the key included
     * @param constrained the columns that constraints are about
     */
    EntityStatements(TableMetadata table, List<CqlIdentifier> columns, Set<CqlIdentifier> constrained) {
        this.table = table;
        this.columns = List.copyOf(columns);
        this.key = table.getPrimaryKey().stream().map(ColumnMetadata::getName).toList();
        this.others = columns.stream()
                .filter(column -> !key.contains(column) && !constrained.contains(column))
                .toList();
        this.insert = "INSERT INTO %s (%s) VALUES (%s) USING TIMESTAMP ?"
                .formatted(name(), joined(columns, "%s", ", "), joined(columns, "?", ", "));
        String keyIs = joined(key, "%s = ?", " AND ");
        this.updateOthers =
                "UPDATE %s USING TIMESTAMP ? SET %s WHERE %s".formatted(name(), joined(others, "%s = ?", ", "), keyIs);
        this.delete = "DELETE FROM %s USING TIMESTAMP ? WHERE %s".formatted(name(), keyIs);
    }

    List<CqlIdentifier> columns() {
        return columns;
    }

    List<CqlIdentifier> key() {
        return key;
    }

    /** The columns that no constraint is about. */
    List<CqlIdentifier> others() {
        return others;
    }

    /** Binds the columns and the timestamp. */
    String insert() {
        return insert;
    }

    /** Binds the timestamp, the other columns and the key; writes no row marker. */
    String updateOthers() {
        return updateOthers;
    }

    /** Binds the timestamp and the key. */
    String delete() {
        return delete;
    }

    private String name() {
        return table.getKeyspace().asCql(true) + "." + table.getName().asCql(true);
    }

    private static String joined(List<CqlIdentifier> columns, String each, String between) {
        Function<CqlIdentifier, String> text = column -> each.replace("%s", column.asCql(true));
        return columns.stream().map(text).collect(Collectors.joining(between));
    }
}
