package io.surewrite.rows;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The encoded values of one row that are not null; an empty collection is null, as in the database. */
public final class RowValues {

    private final Map<CqlIdentifier, ByteBuffer> columns = new HashMap<>();
    private final Map<Field, ByteBuffer> fields = new HashMap<>();

    private record Field(CqlIdentifier column, int index) {}

    /**
     * Adds a value.
     *
     * @param column the column
     * @param bytes its value
     * @return this
     */
    public RowValues put(TableColumn column, ByteBuffer bytes) {
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

    boolean isSame(RowValues other) {
        return columns.equals(other.columns) && fields.equals(other.fields);
    }

    /**
     * {@return the size in bytes, without keys of collections' cells and the like}
     */
    public long size() {
        return columns.values().stream().mapToLong(ByteBuffer::remaining).sum();
    }
}
