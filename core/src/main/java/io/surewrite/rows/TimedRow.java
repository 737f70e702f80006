package io.surewrite.rows;

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
    private final Map<Field, ByteBuffer> fields;
    private final long timestamp;
    private final @Nullable Integer ttl;

    private record Field(CqlIdentifier column, int index) {}

    private TimedRow(
            Map<CqlIdentifier, ByteBuffer> columns,
            Map<Field, ByteBuffer> fields,
            long timestamp,
            @Nullable Integer ttl) {
        this.columns = columns;
        this.fields = fields;
        this.timestamp = timestamp;
        this.ttl = ttl;
    }

    /** An empty row, to be filled. */
    public TimedRow() {
        this(new HashMap<>(), new HashMap<>(), 0, null);
    }

    /**
     * The same values at another time.
     *
     * @param other the timestamp of what is written, in microseconds; what is deleted for it takes the tick before
     * @param seconds the time to live, or null for the table's default
     * @return the write
     */
    public TimedRow at(long other, @Nullable Integer seconds) {
        return new TimedRow(columns, fields, other, seconds);
    }

    /**
     * {@return when it is written, in microseconds}
     */
    public long timestamp() {
        return timestamp;
    }

    /**
     * {@return how long it lives, in seconds, or null for the table's default}
     */
    public @Nullable Integer ttl() {
        return ttl;
    }

    /**
     * Adds a value.
     *
     * @param column the column
     * @param bytes its value
     * @return this
     */
    public TimedRow put(TableColumn column, ByteBuffer bytes) {
        columns.put(column.name(), bytes);
        return this;
    }

    void putField(TableColumn column, int index, ByteBuffer bytes) {
        fields.put(new Field(column.name(), index), bytes);
    }

    /**
     * One value.
     *
     * @param column the column
     * @return its value, or null
     */
    public @Nullable ByteBuffer get(TableColumn column) {
        return columns.get(column.name());
    }

    @Nullable
    ByteBuffer getField(TableColumn column, int index) {
        return fields.get(new Field(column.name(), index));
    }

    /**
     * Whether a column has a value.
     *
     * @param column the column
     * @return whether it, or one of its fields, is not null
     */
    public boolean has(TableColumn column) {
        return column.role() == TableColumn.Role.FIELDS
                ? IntStream.range(0, column.fieldCount()).anyMatch(index -> getField(column, index) != null)
                : columns.containsKey(column.name());
    }

    /**
     * Whether all of some columns have values.
     *
     * @param wanted the columns
     * @return whether none is null
     */
    public boolean hasAll(List<TableColumn> wanted) {
        return wanted.stream().allMatch(this::has);
    }

    /**
     * Whether any of some columns has a value.
     *
     * @param wanted the columns
     * @return whether one is not null
     */
    public boolean hasAny(List<TableColumn> wanted) {
        return wanted.stream().anyMatch(this::has);
    }

    /**
     * The values of columns that are never null.
     *
     * @param key the columns
     * @return their values, in the same order
     */
    public List<ByteBuffer> key(List<TableColumn> key) {
        return key.stream().map(column -> columns.get(column.name())).toList();
    }

    /**
     * Whether both leave the same row.
     *
     * @param other another write
     * @return whether they differ in their timestamps alone
     */
    public boolean isSame(TimedRow other) {
        return Objects.equals(ttl, other.ttl) && columns.equals(other.columns) && fields.equals(other.fields);
    }

    /**
     * {@return the size in bytes, without keys of collections' cells and the like}
     */
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
