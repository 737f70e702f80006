package io.surewrite.schema;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
            String item = line.endsWith(",") ? line.substring(0, line.length() - 1) : line;
            int space = item.indexOf(' ');
            if (item.startsWith("PRIMARY KEY ")) {
                primaryKey = item.substring("PRIMARY KEY ".length());
            } else {
                columns.put(item.substring(0, space), item.substring(space + 1));
            }
        }
        return new TableDefinition(table.name(), keyspace, name, text, new TableShape(columns, primaryKey, 0));
    }

    String qualifiedName() {
        return qualified(keyspace, table);
    }

    private static String qualified(CqlIdentifier keyspace, CqlIdentifier table) {
        return keyspace.asCql(true) + "." + table.asCql(true);
    }

    private static int indexOfFirst(List<String> lines, String start, SchemaTable table) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith(start)) {
                return i;
            }
        }
        throw new IllegalArgumentException("No line of %s begins with '%s'".formatted(table.ddl(), start));
    }

    private static String read(SchemaTable table) {
        try {
            return table.ddl().getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
