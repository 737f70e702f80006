package io.surewrite.unique.claims;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The entities' table as Cassandra keeps it: cells with timestamps, tombstones and row deletions; the later timestamp
 * wins, and a tombstone on a tie. The last column is no constraint's.
 */
final class SimTable {

    static final long NEVER = RowSnapshot.NEVER;

    private final SimShape shape;
    private final Map<String, Row> rows = new LinkedHashMap<>();

    /** A cell; null is a tombstone, or nothing was ever written. */
    private record Cell(long timestamp, @Nullable String value) {

        Cell merge(Cell other) {
            if (other.timestamp != timestamp) {
                return other.timestamp > timestamp ? other : this;
            }
            if (value == null || other.value == null) {
                return value == null ? this : other;
            }
            return other.value.compareTo(value) > 0 ? other : this;
        }
    }

    private static final class Row {
        private long deletedAt = NEVER;
        private long markedAt = NEVER;
        private final Cell[] cells;

        Row(int columns) {
            cells = new Cell[columns];
            java.util.Arrays.fill(cells, new Cell(NEVER, null));
        }
    }

    /**
     * One mutation of one row.
     *
     * @param deletion the timestamp of a row deletion, or {@link #NEVER}
     * @param marker the timestamp of the row marker, or {@link #NEVER}
     * @param cells timestamp and value of each column; null leaves the column alone
     */
    record Mutation(String owner, long deletion, long marker, List<@Nullable TimedValue> cells) {

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(owner);
            if (deletion != NEVER) {
                text.append(" deleted@").append(deletion);
            }
            for (TimedValue cell : cells) {
                text.append(' ').append(cell == null ? "." : cell);
            }
            return text.toString();
        }
    }

    record TimedValue(long timestamp, @Nullable String value) {

        @Override
        public String toString() {
            return value + "@" + timestamp;
        }
    }

    SimTable(SimShape shape) {
        this.shape = shape;
    }

    String apply(Mutation mutation) {
        Row row = rows.computeIfAbsent(mutation.owner(), owner -> new Row(shape.columns()));
        row.deletedAt = Math.max(row.deletedAt, mutation.deletion());
        row.markedAt = Math.max(row.markedAt, mutation.marker());
        for (int i = 0; i < row.cells.length; i++) {
            TimedValue cell = mutation.cells().get(i);
            if (cell != null) {
                row.cells[i] = row.cells[i].merge(new Cell(cell.timestamp(), cell.value()));
            }
        }
        return snapshot(mutation.owner()).toString();
    }

    SimSnapshot snapshot(String owner) {
        Row row = rows.get(owner);
        List<TimedValue> shown = new ArrayList<>();
        boolean exists = row != null && row.markedAt > row.deletedAt;
        for (int i = 0; i < shape.columns(); i++) {
            Cell cell = row == null ? new Cell(NEVER, null) : row.cells[i];
            boolean alive = row != null && cell.value() != null && cell.timestamp() > row.deletedAt;
            exists |= alive;
            shown.add(alive ? new TimedValue(cell.timestamp(), cell.value()) : new TimedValue(NEVER, null));
        }
        return new SimSnapshot(shape, owner, exists, shown);
    }

    List<String> owners() {
        return List.copyOf(rows.keySet());
    }
}
