package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.internal.rows.RowStatement;
import io.surewrite.internal.rows.RowTable;
import io.surewrite.internal.rows.TableColumn;
import io.surewrite.internal.rows.TableColumn.Role;
import io.surewrite.internal.rows.TimedRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One overwrite, checked and ready to be sent as a single mutation. */
record OverwritePlan(EntityTable target, OverwriteKind kind, List<Part> parts, OverwriteOptions options) {

    /** What is read back of each cell, one after the other: its time to live is the third. */
    private static final int PARTS = 3;

    private static final int VALUE = 0;
    private static final int WRITE_TIME = 1;

    /** The few statements that one table needs. A batch of one partition becomes one mutation, prepared as one statement. */
    enum Text {
        INSERT,
        REPLACE,
        REPLACE_AND_EXTEND,
        /** The row with its nulls, each of which leaves a tombstone, but columns that the entity does not map survive. */
        INSERT_NULLS,
        EXTEND,
        DELETE_PARTITION,
        READ_BACK;

        private static final String BEGIN = "BEGIN UNLOGGED BATCH ";
        private static final String AND = "; ";
        private static final String END = "; APPLY BATCH";

        RowStatement of(RowTable table) {
            return table.statement(this, () -> make(table));
        }

        private RowStatement.Builder make(RowTable table) {
            RowStatement.Builder made = new RowStatement.Builder(table);
            return switch (this) {
                case INSERT -> insert(made, table, false);
                case INSERT_NULLS -> insert(made, table, true);
                case REPLACE -> insert(delete(made, table), table, false).text(END);
                case REPLACE_AND_EXTEND -> extend(insert(delete(made, table), table, false), table);
                case EXTEND -> made.update(table.multiCells());
                case READ_BACK -> made.selectCells();
                case DELETE_PARTITION -> made.deleteBefore(List.of(), table.partitionKey());
            };
        }

        private static RowStatement.Builder delete(RowStatement.Builder made, RowTable table) {
            return made.text(BEGIN).deleteBefore(List.of(), table.primaryKey()).text(AND);
        }

        private static RowStatement.Builder extend(RowStatement.Builder made, RowTable table) {
            return made.text(AND).update(table.multiCells()).text(END);
        }

        private static RowStatement.Builder insert(RowStatement.Builder made, RowTable table, boolean nulls) {
            List<TableColumn> columns = new ArrayList<>(table.primaryKey());
            columns.addAll(table.columns(
                    column -> !column.role().isKey() && (nulls || !column.role().isMultiCell())));
            return made.insert(columns, column -> nulls && !column.role().isKey() && column.role() != Role.STATIC);
        }
    }

    record Part(RowStatement statement, TimedRow row) {}

    TimedRow first() {
        return parts.get(0).row();
    }

    List<TimedRow> rows() {
        return parts.stream()
                .skip(kind == OverwriteKind.PARTITION ? 1 : 0)
                .map(Part::row)
                .distinct()
                .toList();
    }

    long bytes() {
        return parts.stream()
                .map(Part::row)
                .distinct()
                .mapToLong(TimedRow::size)
                .sum();
    }

    List<RowStatement> unprepared() {
        return parts.stream()
                .map(Part::statement)
                .distinct()
                .filter(statement -> !statement.isPrepared())
                .toList();
    }

    List<PreparedStatement> prepared() {
        return parts.stream().map(part -> part.statement().prepared()).toList();
    }

    /** Whether it can be sent: all is prepared, and what deletes a row is right for the table as it is. */
    boolean isReady() {
        return parts.stream()
                .map(Part::statement)
                .allMatch(sent -> sent.isPrepared() && (kind != OverwriteKind.ROW || sent.isConfirmed()));
    }

    void confirm() {
        parts.forEach(part -> part.statement().confirm());
    }

    Statement<?> statement() {
        List<BoundStatement> bound =
                parts.stream().map(part -> part.statement().bind(part.row())).toList();
        return bound.size() == 1
                ? configure(bound.get(0))
                : configure(BatchStatement.newInstance(BatchType.UNLOGGED, List.copyOf(bound)));
    }

    <S extends Statement<S>> S configure(S statement) {
        return statement
                .setIdempotent(!ends(target, first())) // sent again, a time to live would begin anew
                .setRoutingKeyspace(target.table().metadata().getKeyspace())
                .setRoutingKey(first().key(target.table().partitionKey()).toArray(ByteBuffer[]::new));
    }

    static boolean ends(EntityTable target, TimedRow row) {
        return (row.ttl() == null ? target.table().secondsToLive() : row.ttl()) > 0;
    }

    // ---- ties ----

    /**
     * Reads the row back, to see whether another client wrote it with the same timestamp. Of two clients that tie and read
     * at a level that sees acknowledged writes, at least the one that reads later sees the mix, unless the mix is its own
     * row.
     */
    RowStatement readBack() {
        return Text.READ_BACK.of(target.table());
    }

    boolean mayTie() {
        return options.detectTies() && !target.table().cells().isEmpty();
    }

    Statement<?> readBackStatement() {
        return configure(readBack().bind(first())).setIdempotent(true);
    }

    void checkTie(@Nullable Row row) {
        if (row == null) {
            return;
        }
        List<String> torn = new ArrayList<>();
        List<TableColumn> cells = target.table().cells();
        boolean nullsAreWritten = target.hasUnmappedColumns();
        boolean anyOfOurTick =
                nullsAreWritten && IntStream.range(0, cells.size()).anyMatch(cell -> isOfOurTick(row, cell));
        for (int i = 0; i < cells.size(); i++) {
            ByteBuffer written = first().get(cells.get(i));
            // A null has no timestamp to be seen; another overwrite as a whole would have left nothing of our tick.
            boolean mayBeTorn = row.isNull(VALUE + PARTS * i) ? anyOfOurTick : isOfOurTick(row, i);
            if (mayBeTorn && !Objects.equals(row.getBytesUnsafe(VALUE + PARTS * i), written)) {
                torn.add(cells.get(i).cql());
            }
        }
        if (!torn.isEmpty()) {
            throw new TimestampTieException("Another client overwrote a row of "
                    + target.table().qualifiedName() + " with the same timestamp "
                    + first().timestamp() + ": it won in " + String.join(", ", torn)
                    + ". Overwrite the row again to make it whole.");
        }
    }

    private boolean isOfOurTick(Row row, int cell) {
        return !row.isNull(WRITE_TIME + PARTS * cell) && row.getLong(WRITE_TIME + PARTS * cell) == first().timestamp();
    }

    enum OverwriteKind {
        INSERT,
        ROW,
        /** A tombstone for every null, because the table has columns that the entity does not map. */
        NULLS,
        PARTITION
    }
}
