package io.surewrite.unique.rows;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueValue;
import io.surewrite.unique.claims.RowSnapshot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A row as a query by {@link RowShape} showed it, encoded, with timestamps, and with times to live if it is to be restored. */
final class CqlSnapshot implements RowSnapshot {

    private static final int UNKNOWN = -1;

    private final RowShape shape;
    private final String owner;
    private final boolean exists;
    private final Map<CqlIdentifier, ReadCell> cells;

    /**
     * A column that is not null.
     *
     * @param column its name
     * @param bytes its value, encoded
     * @param writtenAt its write timestamp
     * @param secondsToLive what is left of its time to live; 0 if it has none, negative if it was not asked for
     */
    record ReadCell(CqlIdentifier column, ByteBuffer bytes, long writtenAt, int secondsToLive) {}

    private CqlSnapshot(RowShape shape, String owner, boolean exists, Map<CqlIdentifier, ReadCell> cells) {
        this.shape = shape;
        this.owner = owner;
        this.exists = exists;
        this.cells = cells;
    }

    /**
     * @param withTimesToLive whether it was read by {@link RowShape#selectToRestore()}
     */
    static CqlSnapshot of(RowShape shape, String owner, @Nullable Row row, boolean withTimesToLive) {
        int width = withTimesToLive ? 3 : 2;
        Map<CqlIdentifier, ReadCell> cells = new LinkedHashMap<>();
        if (row != null) {
            for (int i = 0; i < shape.columns().size(); i++) {
                ByteBuffer bytes = row.getBytesUnsafe(width * i);
                if (bytes != null) {
                    CqlIdentifier column = shape.columns().get(i);
                    int secondsToLive = withTimesToLive ? row.getInt(width * i + 2) : UNKNOWN;
                    cells.put(column, new ReadCell(column, bytes, row.getLong(width * i + 1), secondsToLive));
                }
            }
        }
        return new CqlSnapshot(shape, owner, row != null, cells);
    }

    @Override
    public String owner() {
        return owner;
    }

    @Override
    public boolean exists() {
        return exists;
    }

    @Override
    public long newestWrite() {
        return cells.values().stream().mapToLong(ReadCell::writtenAt).max().orElse(NEVER);
    }

    @Override
    public UniqueValue value(UniqueConstraint constraint) {
        return shape.value(constraint, column -> {
            ReadCell cell = cells.get(column);
            return cell != null ? cell.bytes() : exists ? keyBytes(column) : null;
        });
    }

    private @Nullable ByteBuffer keyBytes(CqlIdentifier column) {
        int index = shape.keyNames().indexOf(column);
        return index < 0 ? null : shape.keyBytes(owner).get(index);
    }

    @Override
    public long writtenAt(UniqueConstraint constraint, int component) {
        ReadCell cell = cells.get(constraint.components().get(component).column());
        return cell == null ? NEVER : cell.writtenAt();
    }

    /** {@return the columns that are not null, those with the same time to live together} */
    Collection<List<ReadCell>> byTimeToLive() {
        Map<Integer, List<ReadCell>> groups = new TreeMap<>();
        for (ReadCell cell : cells.values()) {
            if (cell.secondsToLive() == UNKNOWN) {
                throw new IllegalStateException("The row was not read to be restored");
            }
            groups.computeIfAbsent(cell.secondsToLive(), seconds -> new ArrayList<>())
                    .add(cell);
        }
        return groups.values();
    }

    List<CqlIdentifier> nulls() {
        return shape.columns().stream()
                .filter(column -> !cells.containsKey(column))
                .toList();
    }
}
