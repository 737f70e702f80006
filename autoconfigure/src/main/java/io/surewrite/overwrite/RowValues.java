package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The encoded values of one row that are not null; an empty collection is null, as in the database. */
final class RowValues {

    private final Map<CqlIdentifier, ByteBuffer> columns = new HashMap<>();
    private final Map<Field, ByteBuffer> fields = new HashMap<>();

    private record Field(CqlIdentifier column, int index) {}

    void put(TargetColumn column, ByteBuffer bytes) {
        columns.put(column.name(), bytes);
    }

    void putField(TargetColumn column, int index, ByteBuffer bytes) {
        fields.put(new Field(column.name(), index), bytes);
    }

    @Nullable
    ByteBuffer get(TargetColumn column) {
        return columns.get(column.name());
    }

    @Nullable
    ByteBuffer getField(TargetColumn column, int index) {
        return fields.get(new Field(column.name(), index));
    }

    boolean has(TargetColumn column) {
        return column.role() == ColumnRole.FIELDS
                ? IntStream.range(0, column.fieldCount()).anyMatch(index -> getField(column, index) != null)
                : columns.containsKey(column.name());
    }

    boolean hasAll(List<TargetColumn> wanted) {
        return wanted.stream().allMatch(this::has);
    }

    boolean hasAny(List<TargetColumn> wanted) {
        return wanted.stream().anyMatch(this::has);
    }

    /** The values of columns that are never null, in order. */
    List<ByteBuffer> key(List<TargetColumn> key) {
        return key.stream().map(column -> columns.get(column.name())).toList();
    }

    boolean isSame(RowValues other) {
        return columns.equals(other.columns) && fields.equals(other.fields);
    }

    /** In bytes, without keys of collections' cells and the like. */
    long size() {
        return columns.values().stream().mapToLong(ByteBuffer::remaining).sum();
    }
}
