package io.surewrite.internal.rows;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The encoded values of one row, or of a key alone, that are not null, and when they are written: what the statements of
 * one write bind. An empty collection is null, as in the database.
 */
public final class TimedRow {

    private final Map<CqlIdentifier, ByteBuffer> columns;
    private final long timestamp;
    private final @Nullable Integer ttl;

    private TimedRow(Map<CqlIdentifier, ByteBuffer> columns, long timestamp, @Nullable Integer ttl) {
        this.columns = columns;
        this.timestamp = timestamp;
        this.ttl = ttl;
    }

    public TimedRow() {
        this(new HashMap<>(), 0, null);
    }

    public TimedRow at(long other, @Nullable Integer seconds) {
        return new TimedRow(columns, other, seconds);
    }

    /** {@return when it is written, in microseconds; what is deleted for it takes the tick before} */
    public long timestamp() {
        return timestamp;
    }

    /** In seconds; null for the table's default. */
    public @Nullable Integer ttl() {
        return ttl;
    }

    public TimedRow put(TableColumn column, ByteBuffer bytes) {
        columns.put(column.name(), bytes);
        return this;
    }

    public @Nullable ByteBuffer get(TableColumn column) {
        return columns.get(column.name());
    }

    /** A value of a type is its fields, each behind its length; the last ones may be missing. */
    @Nullable
    ByteBuffer getField(TableColumn column, int index) {
        ByteBuffer value = columns.get(column.name());
        ByteBuffer rest = value == null ? ByteBuffer.allocate(0) : value.duplicate();
        for (int at = 0; rest.hasRemaining(); at++) {
            int length = rest.getInt();
            if (at == index) {
                return length < 0 ? null : rest.slice(rest.position(), length);
            }
            rest.position(rest.position() + Math.max(0, length));
        }
        return null;
    }

    public boolean has(TableColumn column) {
        return column.role() == TableColumn.Role.FIELDS
                ? IntStream.range(0, column.fieldCount()).anyMatch(index -> getField(column, index) != null)
                : columns.containsKey(column.name());
    }

    public boolean hasAll(List<TableColumn> wanted) {
        return wanted.stream().allMatch(this::has);
    }

    public boolean hasAny(List<TableColumn> wanted) {
        return wanted.stream().anyMatch(this::has);
    }

    public List<ByteBuffer> key(List<TableColumn> key) {
        return key.stream().map(column -> columns.get(column.name())).toList();
    }

    /** Whether both leave the same row: they differ in their timestamps alone. */
    public boolean isSame(TimedRow other) {
        return Objects.equals(ttl, other.ttl) && columns.equals(other.columns);
    }

    /** {@return the size in bytes, without keys of collections' cells and the like} */
    public long size() {
        return columns.values().stream().mapToLong(ByteBuffer::remaining).sum();
    }

    ByteBuffer writeTime() {
        return bigint(timestamp);
    }

    ByteBuffer deletionTime() {
        return bigint(timestamp - 1);
    }

    @Nullable
    ByteBuffer timeToLive() {
        return ttl == null ? null : ByteBuffer.allocate(Integer.BYTES).putInt(0, ttl);
    }

    private static ByteBuffer bigint(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(0, value);
    }
}
