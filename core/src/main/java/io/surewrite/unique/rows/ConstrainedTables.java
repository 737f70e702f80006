package io.surewrite.unique.rows;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataTypes;
import io.surewrite.rows.TableColumn;
import io.surewrite.unique.UniqueComponent;
import io.surewrite.unique.UniqueConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a table must be like to have unique constraints. */
final class ConstrainedTables {

    /** Hints are kept for three hours by default; a write may come that late, and must find the tombstones it lost to. */
    private static final int MIN_GC_GRACE_SECONDS = 4 * 3600;

    private ConstrainedTables() {}

    static @Nullable String mistake(TableMetadata table, List<UniqueConstraint> constraints) {
        String name = table.getName().asCql(true);
        for (ColumnMetadata column : table.getColumns().values()) {
            if (column.getType().equals(DataTypes.COUNTER)) {
                return "The table %s holds counters: they cannot be written again, so it can have no unique constraint"
                        .formatted(name);
            }
            if (TableColumn.isMultiCell(column.getType())) {
                return "The column %s of table %s is a collection or type that is not frozen: a row with it cannot be restored, so the table can have no unique constraint. Freeze it, or move it to a table of its own"
                        .formatted(column.getName().asCql(true), name);
            }
        }
        for (UniqueConstraint constraint : constraints) {
            for (UniqueComponent component : constraint.components()) {
                String mistake = mistake(table, component.column());
                if (mistake != null) {
                    return "The unique constraint '%s' %s of table %s".formatted(constraint.name(), mistake, name);
                }
            }
        }
        return null;
    }

    private static @Nullable String mistake(TableMetadata table, CqlIdentifier column) {
        ColumnMetadata found = table.getColumns().get(column);
        if (found == null) {
            return "names %s, which is no column".formatted(column.asCql(true));
        }
        return found.isStatic() ? "names %s, which is a static column".formatted(column.asCql(true)) : null;
    }

    static List<String> problems(TableMetadata table) {
        List<String> problems = new ArrayList<>();
        String name = table.getName().asCql(true);
        Object readRepair = table.getOptions().get(CqlIdentifier.fromInternal("read_repair"));
        if (readRepair != null
                && !readRepair.toString().toUpperCase(Locale.ROOT).equals("BLOCKING")) {
            problems.add(
                    "The table %s has read_repair = '%s': what one read has shown the next one may not show. Fix: ALTER TABLE %s WITH read_repair = 'BLOCKING'"
                            .formatted(name, readRepair, name));
        }
        Object grace = table.getOptions().get(CqlIdentifier.fromInternal("gc_grace_seconds"));
        if (grace instanceof Number seconds && seconds.longValue() < MIN_GC_GRACE_SECONDS) {
            problems.add(
                    "The table %s has gc_grace_seconds = %d: a write that comes late may find the tombstone gone that it lost to. Fix: ALTER TABLE %s WITH gc_grace_seconds = 864000"
                            .formatted(name, seconds.longValue(), name));
        }
        return problems;
    }
}
