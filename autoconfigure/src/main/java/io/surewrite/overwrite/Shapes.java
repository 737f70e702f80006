package io.surewrite.overwrite;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Composes the statements of a table. A batch of one partition becomes one mutation, prepared as one statement. */
final class Shapes {

    private Shapes() {}

    static Shape of(OverwriteTarget target, ShapeKind kind) {
        return target.shape(kind, absent -> make(target, kind));
    }

    private static Shape make(OverwriteTarget target, ShapeKind kind) {
        ShapeBuilder shape = new ShapeBuilder();
        switch (kind) {
            case INSERT -> insert(shape, target, false);
            case INSERT_NULLS -> insert(shape, target, true);
            case INSERT_AND_EXTEND -> {
                shape.text("BEGIN UNLOGGED BATCH ");
                insert(shape, target, false).text("; ");
                extend(shape, target).text("; APPLY BATCH");
            }
            case REPLACE -> {
                shape.text("BEGIN UNLOGGED BATCH ");
                delete(shape, target, target.primaryKey()).text("; ");
                insert(shape, target, false).text("; APPLY BATCH");
            }
            case REPLACE_AND_EXTEND -> {
                shape.text("BEGIN UNLOGGED BATCH ");
                delete(shape, target, target.primaryKey()).text("; ");
                insert(shape, target, false).text("; ");
                extend(shape, target).text("; APPLY BATCH");
            }
            case EXTEND -> extend(shape, target);
            case READ_BACK -> readBack(shape, target);
            case DELETE_PARTITION -> delete(shape, target, target.partitionKey());
        }
        return shape.build();
    }

    private static ShapeBuilder delete(ShapeBuilder shape, OverwriteTarget target, List<TargetColumn> key) {
        return shape.text("DELETE FROM " + target.qualifiedName() + " USING TIMESTAMP ")
                .bind(RowWrite::deletionTime)
                .text(" WHERE ")
                .keys(key);
    }

    private static ShapeBuilder insert(ShapeBuilder shape, OverwriteTarget target, boolean nulls) {
        List<TargetColumn> columns = new ArrayList<>(target.primaryKey());
        columns.addAll(target.columns(role -> !role.isKey() && (nulls || !role.isMultiCell())));
        shape.text("INSERT INTO " + target.qualifiedName()
                + columns.stream().map(TargetColumn::cql).collect(Collectors.joining(", ", " (", ") VALUES (")));
        String separator = "";
        for (TargetColumn column : columns) {
            boolean nullable = nulls && column.role() != ColumnRole.STATIC;
            shape.text(separator).bind(write -> write.values().get(column), nullable);
            separator = ", ";
        }
        return using(shape.text(")"));
    }

    private static ShapeBuilder extend(ShapeBuilder shape, OverwriteTarget target) {
        using(shape.text("UPDATE " + target.qualifiedName())).text(" SET ");
        String separator = "";
        for (TargetColumn column : target.multiCells()) {
            if (column.role() != ColumnRole.FIELDS) {
                shape.text(separator + column.cql() + " = " + column.cql() + " + ")
                        .bind(write -> write.values().get(column));
                separator = ", ";
            }
            for (int i = 0; i < column.fieldCount(); i++) {
                int field = i;
                shape.text(separator + column.fieldCql(i) + " = ")
                        .bind(write -> write.values().getField(column, field));
                separator = ", ";
            }
        }
        return shape.text(" WHERE ").keys(target.primaryKey());
    }

    private static ShapeBuilder readBack(ShapeBuilder shape, OverwriteTarget target) {
        return shape.text("SELECT "
                        + target.cells().stream()
                                .map(column -> "%1$s, WRITETIME(%1$s), TTL(%1$s)".formatted(column.cql()))
                                .collect(Collectors.joining(", "))
                        + " FROM " + target.qualifiedName() + " WHERE ")
                .keys(target.primaryKey());
    }

    private static ShapeBuilder using(ShapeBuilder shape) {
        return shape.text(" USING TIMESTAMP ")
                .bind(RowWrite::writeTime)
                .text(" AND TTL ")
                .bind(RowWrite::timeToLive);
    }
}
