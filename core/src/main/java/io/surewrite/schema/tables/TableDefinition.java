package io.surewrite.schema.tables;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.schema.SchemaTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * One of our tables with everything filled in.
 *
 * @param shortName the table's name without prefix
 * @param keyspace where it lives
 * @param table its name with prefix
 * @param ddl the statement to run
 * @param shape what it creates
 */
record TableDefinition(String shortName, CqlIdentifier keyspace, CqlIdentifier table, String ddl, TableShape shape) {

    /** Reads the simple form that {@link SchemaTable} promises: a column or the primary key to a line. */
    static TableDefinition of(SchemaTable table, CqlIdentifier keyspace, String prefix) {
        CqlIdentifier name = CqlIdentifier.fromInternal(prefix + table.name());
        String text = read(table).replace("${table}", qualified(keyspace, name)).strip();
        List<String> lines = text.lines().map(String::strip).toList();
        int head = indexOfFirst(lines, "CREATE TABLE IF NOT EXISTS", table);
        int foot = indexOfFirst(lines, ")", table);
        Map<String, String> columns = new LinkedHashMap<>();
        String primaryKey = "";
        for (String line : lines.subList(head + 1, foot)) {
            String code = line.split("--", 2)[0].strip();
            String item = code.endsWith(",") ? code.substring(0, code.length() - 1) : code;
            int space = item.indexOf(' ');
            if (item.startsWith("PRIMARY KEY ")) {
                primaryKey = item.substring("PRIMARY KEY ".length());
            } else {
                columns.put(item.substring(0, space), item.substring(space + 1));
            }
        }
        return new TableDefinition(table.name(), keyspace, name, text, new TableShape(columns, primaryKey, 0));
    }

    /** This table, created with one more option. */
    TableDefinition with(String option) {
        int end = ddl.lastIndexOf(';');
        return new TableDefinition(
                shortName, keyspace, table, ddl.substring(0, end) + "\n    AND " + option + ddl.substring(end), shape);
    }

    String qualifiedName() {
        return qualified(keyspace, table);
    }

    private static String qualified(CqlIdentifier keyspace, CqlIdentifier table) {
        return keyspace.asCql(true) + "." + table.asCql(true);
    }

    private static int indexOfFirst(List<String> lines, String start, SchemaTable table) {
        return IntStream.range(0, lines.size())
                .filter(line -> lines.get(line).startsWith(start))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("No line of %s begins with '%s'".formatted(table.ddl(), start)));
    }

    private static String read(SchemaTable table) {
        try {
            return table.ddl().getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
