package io.surewrite.unique;

import io.surewrite.unique.UniqueLedger.Operation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The entities' table as Cassandra keeps it: cells with timestamps, tombstones and row deletions; the later timestamp
 * wins, and a tombstone on a tie. The last column is no constraint's. Where it is a set, its elements are cells of their
 * own, and a whole write of it is a deletion one tick before them.
 */
final class SimTable {

    static final long NEVER = RowSnapshot.NEVER;

    private final SimShape shape;
    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final Set<String> takeovers = new HashSet<>();

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
        private long elementsDeletedAt = NEVER;
        private final Map<String, Long> elements = new TreeMap<>();

        /** As it is shown until it is written the next time. */
        private @Nullable SimSnapshot shown;

        Row(int columns) {
            cells = new Cell[columns];
            java.util.Arrays.fill(cells, new Cell(NEVER, null));
        }

        void write(TimedValue set, boolean added) {
            if (!added) {
                elementsDeletedAt = Math.max(elementsDeletedAt, set.timestamp() - 1);
            }
            if (set.value() != null) {
                for (String element : set.value().split("\\+", -1)) {
                    elements.merge(element, set.timestamp(), Math::max);
                }
            }
        }

        /** All elements that are alive, and the timestamp of the newest. */
        TimedValue set() {
            List<String> alive = new ArrayList<>();
            long newest = NEVER;
            for (Map.Entry<String, Long> element : elements.entrySet()) {
                if (element.getValue() > Math.max(deletedAt, elementsDeletedAt)) {
                    alive.add(element.getKey());
                    newest = Math.max(newest, element.getValue());
                }
            }
            return new TimedValue(newest, alive.isEmpty() ? null : String.join("+", alive));
        }
    }

    /**
     * A mutation of a row, by an operation or by a takeover: timestamps of the row's deletion and marker, or {@link #NEVER}, and
     * its cells. Null leaves a column alone; elements are added to a set that stays, as they are on top of a row deletion.
     */
    record Mutation(
            String owner,
            long deletion,
            long marker,
            List<@Nullable TimedValue> cells,
            boolean adds,
            @Nullable Operation by) {

        Mutation(String owner, long deletion, long marker, List<@Nullable TimedValue> cells) {
            this(owner, deletion, marker, cells, false, null);
        }

        /** The one timestamp of an operation's write. */
        long timestamp() {
            return cells.stream()
                    .filter(Objects::nonNull)
                    .mapToLong(TimedValue::timestamp)
                    .reduce(Math.max(deletion, marker), Math::max);
        }

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
        row.shown = null;
        if (mutation.by() == null) {
            takeovers.add(mutation.owner());
        }
        row.deletedAt = Math.max(row.deletedAt, mutation.deletion());
        row.markedAt = Math.max(row.markedAt, mutation.marker());
        for (int i = 0; i < row.cells.length; i++) {
            TimedValue cell = mutation.cells().get(i);
            if (cell != null && shape.collects(i)) {
                row.write(cell, mutation.adds());
            } else if (cell != null) {
                row.cells[i] = row.cells[i].merge(new Cell(cell.timestamp(), cell.value()));
            }
        }
        return snapshot(mutation.owner()).toString();
    }

    /** {@return a row as it is shown} */
    SimSnapshot snapshot(String owner) {
        Row row = rows.get(owner);
        if (row == null) {
            return show(owner, new Row(shape.columns()));
        }
        if (row.shown == null) {
            row.shown = show(owner, row);
        }
        return row.shown;
    }

    private SimSnapshot show(String owner, Row row) {
        List<TimedValue> shown = new ArrayList<>();
        boolean exists = row.markedAt > row.deletedAt;
        for (int i = 0; i < shape.columns(); i++) {
            if (shape.collects(i)) {
                TimedValue set = row.set();
                exists |= set.value() != null;
                shown.add(set);
                continue;
            }
            Cell cell = row.cells[i];
            boolean alive = cell.value() != null && cell.timestamp() > row.deletedAt;
            exists |= alive;
            shown.add(alive ? new TimedValue(cell.timestamp(), cell.value()) : new TimedValue(NEVER, null));
        }
        return new SimSnapshot(shape, owner, exists, List.copyOf(shown));
    }

    /** Whether a takeover has just written a row. */
    boolean isTakeovers(String owner) {
        return takeovers.contains(owner);
    }

    void forgetTakeovers() {
        takeovers.clear();
    }

    List<String> owners() {
        return List.copyOf(rows.keySet());
    }
}
