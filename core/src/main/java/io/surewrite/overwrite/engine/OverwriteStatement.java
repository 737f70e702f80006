package io.surewrite.overwrite.engine;

import io.surewrite.rows.RowStatement;
import io.surewrite.rows.TableColumn;
import io.surewrite.rows.TableColumn.Role;
import io.surewrite.rows.TableShape;
import java.util.ArrayList;
import java.util.List;

/** The few statements that one table needs. A batch of one partition becomes one mutation, prepared as one statement. */
enum OverwriteStatement {
    /** The row and nothing else. */
    INSERT,
    /** The row and what it adds to its collections. */
    INSERT_AND_EXTEND,
    /** The deletion of the old row, and the new one. */
    REPLACE,
    /** The deletion of the old row, the new one and what it adds to its collections. */
    REPLACE_AND_EXTEND,
    /** The row with its nulls, each of which leaves a tombstone, but columns that the entity does not map survive. */
    INSERT_NULLS,
    /** What a row adds to its collections, as a part of a batch. */
    EXTEND,
    /** The deletion of a partition, as a part of a batch. */
    DELETE_PARTITION,
    /** Reads the cells of a row with their timestamps and times to live. */
    READ_BACK;

    RowStatement of(TableShape table) {
        return table.statement(this, () -> make(table));
    }

    private RowStatement.Builder make(TableShape table) {
        RowStatement.Builder made = new RowStatement.Builder(table);
        return switch (this) {
            case INSERT -> insert(made, table, false);
            case INSERT_NULLS -> insert(made, table, true);
            case INSERT_AND_EXTEND -> {
                insert(made.text("BEGIN UNLOGGED BATCH "), table, false).text("; ");
                yield made.update(table.multiCells()).text("; APPLY BATCH");
            }
            case REPLACE -> {
                made.text("BEGIN UNLOGGED BATCH ").deleteBefore(List.of(), table.primaryKey());
                yield insert(made.text("; "), table, false).text("; APPLY BATCH");
            }
            case REPLACE_AND_EXTEND -> {
                made.text("BEGIN UNLOGGED BATCH ").deleteBefore(List.of(), table.primaryKey());
                insert(made.text("; "), table, false).text("; ");
                yield made.update(table.multiCells()).text("; APPLY BATCH");
            }
            case EXTEND -> made.update(table.multiCells());
            case READ_BACK -> made.selectCells(true);
            case DELETE_PARTITION -> made.deleteBefore(List.of(), table.partitionKey());
        };
    }

    private static RowStatement.Builder insert(RowStatement.Builder made, TableShape table, boolean nulls) {
        List<TableColumn> columns = new ArrayList<>(table.primaryKey());
        columns.addAll(table.columns(
                column -> !column.role().isKey() && (nulls || !column.role().isMultiCell())));
        return made.insert(columns, column -> nulls && !column.role().isKey() && column.role() != Role.STATIC);
    }
}
