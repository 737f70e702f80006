package io.surewrite.internal.rows;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A statement on rows of a table: its text, what its markers bind, and what it was prepared to. Markers without a value
 * stay unset, which leaves no tombstone. Thread-safe.
 */
public final class RowStatement {

    private final String cql;
    private final List<Slot> slots;
    private volatile @Nullable PreparedStatement prepared;
    private volatile boolean confirmed;

    private RowStatement(String cql, List<Slot> slots) {
        this.cql = cql;
        this.slots = List.copyOf(slots);
    }

    public String cql() {
        return cql;
    }

    public boolean isPrepared() {
        return prepared != null;
    }

    public PreparedStatement prepared() {
        return Objects.requireNonNull(prepared, "not prepared");
    }

    /** Whether the table was what the text takes it for after it was prepared. */
    public boolean isConfirmed() {
        return confirmed;
    }

    public void confirm() {
        confirmed = true;
    }

    /** Prepares it, unless it is prepared. After a failure the next call tries again. */
    public CompletionStage<PreparedStatement> prepare(Function<String, CompletionStage<PreparedStatement>> session) {
        PreparedStatement known = prepared;
        return known != null
                ? CompletableFuture.completedFuture(known)
                : session.apply(cql).thenApply(made -> {
                    prepared = made;
                    return made;
                });
    }

    public BoundStatement bind(TimedRow write) {
        BoundStatementBuilder bound = prepared().boundStatementBuilder();
        for (int i = 0; i < slots.size(); i++) {
            Slot slot = slots.get(i);
            ByteBuffer value = slot.value().apply(write);
            if (value != null) {
                bound = bound.setBytesUnsafe(i, value);
            } else if (slot.nullable()) {
                bound = bound.setToNull(i);
            }
        }
        return bound.build();
    }

    /** A marker: its value, and whether a missing one is bound as null, not left unset. */
    private record Slot(Function<TimedRow, @Nullable ByteBuffer> value, boolean nullable) {}

    /** Writes the text, clause by clause; what writes does so at the timestamp and with the time to live of the row. */
    public static final class Builder {

        private final RowTable table;
        private final StringBuilder cql = new StringBuilder();
        private final List<Slot> slots = new ArrayList<>();

        public Builder(RowTable table) {
            this.table = table;
        }

        public Builder text(String text) {
            cql.append(text);
            return this;
        }

        /** Adds an insert; of nullable columns a null is written, which leaves a tombstone. */
        public Builder insert(List<TableColumn> columns, Predicate<TableColumn> nullable) {
            text("INSERT INTO " + table.qualifiedName() + " (" + names(columns) + ") VALUES (");
            String separator = "";
            for (TableColumn column : columns) {
                text(separator).value(column, nullable.test(column));
                separator = ", ";
            }
            return text(")").using();
        }

        /** Adds an update: single cells are set, be it to null; what is not null is added to collections, and set in fields. */
        public Builder update(List<TableColumn> columns) {
            text("UPDATE " + table.qualifiedName()).using().text(" SET ");
            String separator = "";
            for (TableColumn column : columns) {
                if (!column.role().isMultiCell()) {
                    text(separator + column.cql() + " = ").value(column, true);
                    separator = ", ";
                } else if (column.role() != TableColumn.Role.FIELDS) {
                    text(separator + column.cql() + " = " + column.cql() + " + ")
                            .value(column, false);
                    separator = ", ";
                }
                for (int i = 0; i < column.fieldCount(); i++) {
                    int field = i;
                    text(separator + column.fieldCql(i) + " = ").bind(write -> write.getField(column, field), false);
                    separator = ", ";
                }
            }
            return where(table.primaryKey());
        }

        /**
         * Adds an update that leaves nothing else in the columns: what has several cells is deleted one tick before, and set as a whole.
         */
        public Builder assign(List<TableColumn> columns) {
            return text("UPDATE " + table.qualifiedName())
                    .using()
                    .each(" SET ", ", ", columns, true)
                    .where(table.primaryKey());
        }

        /** Adds a deletion one tick before the write's timestamp; without columns, of everything that has the key. */
        public Builder deleteBefore(List<TableColumn> columns, List<TableColumn> key) {
            return delete(columns, key, TimedRow::deletionTime);
        }

        public Builder deleteRow() {
            return delete(List.of(), table.primaryKey(), TimedRow::writeTime);
        }

        private Builder delete(
                List<TableColumn> columns, List<TableColumn> key, Function<TimedRow, @Nullable ByteBuffer> time) {
            String what = columns.isEmpty() ? "DELETE FROM " : "DELETE " + names(columns) + " FROM ";
            return text(what + table.qualifiedName() + " USING TIMESTAMP ")
                    .bind(time, false)
                    .where(key);
        }

        /** Adds a query for each cell, its timestamp and its time to live. */
        public Builder selectCells() {
            return select(
                    table.cells().stream().map(column -> "%1$s, WRITETIME(%1$s), TTL(%1$s)".formatted(column.cql())));
        }

        /** Adds a query for what is named; if there is nothing, for a part of the key. */
        public Builder select(Stream<String> parts) {
            String selected = parts.collect(Collectors.joining(", "));
            return text("SELECT "
                            + (selected.isEmpty() ? table.primaryKey().get(0).cql() : selected)
                            + " FROM "
                            + table.qualifiedName())
                    .where(table.primaryKey());
        }

        private Builder where(List<TableColumn> key) {
            return each(" WHERE ", " AND ", key, false);
        }

        private Builder each(String first, String next, List<TableColumn> columns, boolean nullable) {
            String separator = first;
            for (TableColumn column : columns) {
                text(separator + column.cql() + " = ").value(column, nullable);
                separator = next;
            }
            return this;
        }

        private Builder using() {
            return text(" USING TIMESTAMP ")
                    .bind(TimedRow::writeTime, false)
                    .text(" AND TTL ")
                    .bind(TimedRow::timeToLive, false);
        }

        private Builder value(TableColumn column, boolean nullable) {
            return bind(write -> write.get(column), nullable);
        }

        private Builder bind(Function<TimedRow, @Nullable ByteBuffer> value, boolean nullable) {
            text("?");
            slots.add(new Slot(value, nullable));
            return this;
        }

        private static String names(List<TableColumn> columns) {
            return columns.stream().map(TableColumn::cql).collect(Collectors.joining(", "));
        }

        public RowStatement build() {
            return new RowStatement(cql.toString(), slots);
        }
    }
}
