package io.surewrite.unique.rows;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.data.UdtValue;
import io.surewrite.rows.RowStatement;
import io.surewrite.rows.RowValues;
import io.surewrite.rows.TableColumn;
import io.surewrite.rows.TableShape;
import io.surewrite.unique.UniqueComponent;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueValue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A table as its constraints see it: rows by their canonical primary keys, and the values of constraints. */
final class RowShape {

    private final TableShape table;
    private final List<CqlIdentifier> keyNames;
    private final List<CqlIdentifier> columns;

    RowShape(TableShape table) {
        this.table = table;
        this.keyNames = names(table.primaryKey());
        this.columns = names(table.cells());
    }

    private static List<CqlIdentifier> names(List<TableColumn> columns) {
        return columns.stream().map(TableColumn::name).toList();
    }

    TableShape table() {
        return table;
    }

    List<CqlIdentifier> keyNames() {
        return keyNames;
    }

    /** {@return the columns outside the primary key, without static ones} */
    List<CqlIdentifier> columns() {
        return columns;
    }

    /** The primary key, the wanted columns, then the write timestamps of all columns outside the key. */
    RowStatement selectRange(List<CqlIdentifier> wanted) {
        String selected = Stream.of(keyNames, wanted)
                .flatMap(List::stream)
                .map(column -> column.asCql(true))
                .collect(Collectors.joining(", "));
        String written = table.cells().stream()
                .map(column -> ", WRITETIME(%s)".formatted(column.cql()))
                .collect(Collectors.joining());
        String token =
                table.partitionKey().stream().map(TableColumn::cql).collect(Collectors.joining(", ", "token(", ")"));
        String text = "SELECT %s%s FROM %s WHERE %s > :after AND %s <= :upto"
                .formatted(selected, written, table.qualifiedName(), token, token);
        return table.statement(text, () -> new RowStatement.Builder(table).text(text));
    }

    @Nullable
    ByteBuffer encoded(CqlIdentifier column, @Nullable Object value) {
        return value == null ? null : table.encoded(table.column(column), value);
    }

    String owner(Map<CqlIdentifier, ? extends @Nullable Object> values) {
        return ownerOf(column -> encoded(column, values.get(column)));
    }

    String ownerOf(Function<CqlIdentifier, @Nullable ByteBuffer> bytesOf) {
        List<@Nullable String> parts = new ArrayList<>();
        for (TableColumn column : table.primaryKey()) {
            ByteBuffer bytes = bytesOf.apply(column.name());
            if (bytes == null) {
                throw new IllegalArgumentException(
                        "No value for %s of the primary key of %s".formatted(column.cql(), table.qualifiedName()));
            }
            parts.add(KeyText.of(column.type(), bytes));
        }
        return new UniqueValue(parts, parts).encoded();
    }

    /** What {@link #ownerOf} has made a text of. */
    RowValues keyOf(String owner) {
        List<@Nullable String> parts = UniqueValue.decode(owner).parts();
        RowValues key = new RowValues();
        for (int i = 0; i < keyNames.size(); i++) {
            String part = i < parts.size() ? parts.get(i) : null;
            if (part == null) {
                throw new IllegalArgumentException("Not a primary key of " + table.qualifiedName());
            }
            TableColumn column = table.primaryKey().get(i);
            key.put(column, KeyText.bytes(column.type(), part));
        }
        return key;
    }

    Map<CqlIdentifier, Object> key(String owner) {
        Map<CqlIdentifier, Object> key = new LinkedHashMap<>();
        List<ByteBuffer> bytes = keyOf(owner).key(table.primaryKey());
        for (int i = 0; i < keyNames.size(); i++) {
            Object value = table.decoded(table.primaryKey().get(i), bytes.get(i));
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
            Object value = bytes == null ? null : table.decoded(table.column(component.column()), bytes);
            for (CqlIdentifier field : component.fields()) {
                value = value instanceof UdtValue udt ? udt.getObject(field) : null;
            }
            values.add(value);
        }
        return constraint.value(values);
    }
}
