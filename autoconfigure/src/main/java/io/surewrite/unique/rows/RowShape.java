package io.surewrite.unique.rows;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.data.UdtValue;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.codec.registry.CodecRegistry;
import io.surewrite.unique.UniqueComponent;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueValue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A table's columns, the statements on its rows, and how its values are encoded. */
final class RowShape {

    private final TableMetadata table;
    private final CodecRegistry codecs;
    private final ProtocolVersion version;
    private final List<CqlIdentifier> keyNames;
    private final List<CqlIdentifier> columns;
    private final List<String> keyMarkers;
    private final String select;
    private final String selectToRestore;
    private final String deleteRow;

    RowShape(TableMetadata table, CodecRegistry codecs, ProtocolVersion version) {
        this.table = table;
        this.codecs = codecs;
        this.version = version;
        this.keyNames =
                table.getPrimaryKey().stream().map(ColumnMetadata::getName).toList();
        this.columns = table.getColumns().values().stream()
                .filter(column -> !column.isStatic() && !keyNames.contains(column.getName()))
                .map(ColumnMetadata::getName)
                .toList();
        this.keyMarkers = keyNames.stream().map(RowShape::marker).toList();
        this.select = "SELECT %s FROM %s WHERE %s".formatted(selected("%1$s, WRITETIME(%1$s)"), name(), where());
        this.selectToRestore =
                "SELECT %s FROM %s WHERE %s".formatted(selected("%1$s, WRITETIME(%1$s), TTL(%1$s)"), name(), where());
        this.deleteRow = "DELETE FROM %s USING TIMESTAMP :timestamp WHERE %s".formatted(name(), where());
    }

    TableMetadata table() {
        return table;
    }

    List<CqlIdentifier> keyNames() {
        return keyNames;
    }

    /** {@return the columns outside the primary key, without static ones} */
    List<CqlIdentifier> columns() {
        return columns;
    }

    // ---- statements; every column's marker has the name of the column, with a prefix of its own ----

    static String marker(CqlIdentifier column) {
        return "\"c_" + column.asInternal().replace("\"", "\"\"") + "\"";
    }

    /** The markers of the primary key, in its order. */
    List<String> keyMarkers() {
        return keyMarkers;
    }

    /** Each column, then its write timestamp; without any column, the primary key alone. */
    String select() {
        return select;
    }

    /** As {@link #select()}, with the time to live after each timestamp. */
    String selectToRestore() {
        return selectToRestore;
    }

    private String selected(String each) {
        return columns.isEmpty()
                ? keyNames.get(0).asCql(true)
                : columns.stream()
                        .map(column -> column.asCql(true))
                        .map(each::formatted)
                        .collect(Collectors.joining(", "));
    }

    /** The primary key, the wanted columns, then the write timestamps of all columns outside the key. */
    String selectRange(List<CqlIdentifier> wanted) {
        String partition = joined(
                table.getPartitionKey().stream().map(ColumnMetadata::getName).toList());
        String selected = Stream.of(keyNames, wanted)
                .flatMap(List::stream)
                .map(column -> column.asCql(true))
                .collect(Collectors.joining(", "));
        String written = columns.stream()
                .map(column -> ", WRITETIME(%s)".formatted(column.asCql(true)))
                .collect(Collectors.joining());
        return "SELECT %s%s FROM %s WHERE token(%s) > :after AND token(%s) <= :upto"
                .formatted(selected, written, name(), partition, partition);
    }

    private static String joined(List<CqlIdentifier> which) {
        return which.stream().map(column -> column.asCql(true)).collect(Collectors.joining(", "));
    }

    String deleteRow() {
        return deleteRow;
    }

    String deleteColumns(List<CqlIdentifier> which) {
        return "DELETE %s FROM %s USING TIMESTAMP :timestamp WHERE %s".formatted(joined(which), name(), where());
    }

    String update(List<CqlIdentifier> which) {
        return "UPDATE %s USING TIMESTAMP :timestamp AND TTL :seconds SET %s WHERE %s"
                .formatted(name(), assigned(which, ", "), where());
    }

    private String name() {
        return table.getKeyspace().asCql(true) + "." + table.getName().asCql(true);
    }

    private String where() {
        return assigned(keyNames, " AND ");
    }

    private static String assigned(List<CqlIdentifier> which, String separator) {
        return which.stream()
                .map(column -> column.asCql(true) + " = :" + marker(column))
                .collect(Collectors.joining(separator));
    }

    // ---- values ----

    DataType type(CqlIdentifier column) {
        return Objects.requireNonNull(table.getColumns().get(column)).getType();
    }

    @Nullable
    ByteBuffer encoded(CqlIdentifier column, @Nullable Object value) {
        return value == null ? null : codecs.codecFor(type(column), value).encode(value, version);
    }

    String owner(Map<CqlIdentifier, ? extends @Nullable Object> values) {
        return ownerOf(column -> encoded(column, values.get(column)));
    }

    String ownerOf(Function<CqlIdentifier, @Nullable ByteBuffer> bytesOf) {
        List<@Nullable String> parts = new ArrayList<>();
        for (CqlIdentifier column : keyNames) {
            ByteBuffer bytes = bytesOf.apply(column);
            if (bytes == null) {
                throw new IllegalArgumentException(
                        "No value for %s of the primary key of %s".formatted(column.asCql(true), name()));
            }
            parts.add(KeyText.of(type(column), bytes));
        }
        return new UniqueValue(parts, parts).encoded();
    }

    List<ByteBuffer> keyBytes(String owner) {
        List<@Nullable String> parts = UniqueValue.decode(owner).parts();
        List<ByteBuffer> bytes = new ArrayList<>();
        for (int i = 0; i < keyNames.size(); i++) {
            String part = i < parts.size() ? parts.get(i) : null;
            if (part == null) {
                throw new IllegalArgumentException("Not a primary key of " + name());
            }
            bytes.add(KeyText.bytes(type(keyNames.get(i)), part));
        }
        return bytes;
    }

    Map<CqlIdentifier, Object> key(String owner) {
        Map<CqlIdentifier, Object> key = new LinkedHashMap<>();
        List<ByteBuffer> bytes = keyBytes(owner);
        for (int i = 0; i < keyNames.size(); i++) {
            Object value = codecs.codecFor(type(keyNames.get(i))).decode(bytes.get(i), version);
            if (value != null) {
                key.put(keyNames.get(i), value);
            }
        }
        return key;
    }

    UniqueValue value(UniqueConstraint constraint, Function<CqlIdentifier, @Nullable ByteBuffer> bytesOf) {
        List<@Nullable Object> values = new ArrayList<>();
        for (UniqueComponent component : constraint.components()) {
            ByteBuffer bytes = bytesOf.apply(component.column());
            // A codec may move the position of what it reads, and the bytes may be written yet.
            Object value = bytes == null
                    ? null
                    : codecs.codecFor(type(component.column())).decode(bytes.duplicate(), version);
            for (CqlIdentifier field : component.fields()) {
                value = value instanceof UdtValue udt ? udt.getObject(field) : null;
            }
            values.add(value);
        }
        return constraint.value(values);
    }
}
