package io.surewrite.schema.tables;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.schema.SchemaTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * One of our tables with everything filled in.
 *
 * @param shortName the table's name without prefix
 * @param keyspace where it lives
 * @param table its name with prefix
 * @param ddl the statement to run
 * @param shape what it creates
 * @param versions of the columns that came after the first version
 * @param version the version of the table that this process knows
 */
record TableDefinition(
        String shortName,
        CqlIdentifier keyspace,
        CqlIdentifier table,
        String ddl,
        TableShape shape,
        Map<String, Integer> versions,
        int version) {

    private static final Pattern VERSION = Pattern.compile("version (\\d+)");

    /**
     * Reads the simple form that {@link SchemaTable} promises: a column or the primary key to a line. A column that came
     * later has a comment behind it, {@code -- version 2}.
     */
    static TableDefinition of(SchemaTable table, CqlIdentifier keyspace, String prefix) {
        CqlIdentifier name = CqlIdentifier.fromInternal(prefix + table.name());
        String text = read(table).replace("${table}", qualified(keyspace, name)).strip();
        List<String> lines = text.lines().map(String::strip).toList();
        int head = indexOfFirst(lines, "CREATE TABLE IF NOT EXISTS", table);
        int foot = indexOfFirst(lines, ")", table);
        Map<String, String> columns = new LinkedHashMap<>();
        Map<String, Integer> versions = new LinkedHashMap<>();
        String primaryKey = "";
        for (String line : lines.subList(head + 1, foot)) {
            String[] codeAndComment = line.split("--", 2);
            String code = codeAndComment[0].strip();
            String item = code.endsWith(",") ? code.substring(0, code.length() - 1) : code;
            int space = item.indexOf(' ');
            if (item.startsWith("PRIMARY KEY ")) {
                primaryKey = item.substring("PRIMARY KEY ".length());
            } else {
                columns.put(item.substring(0, space), item.substring(space + 1));
                Matcher version = VERSION.matcher(codeAndComment.length > 1 ? codeAndComment[1] : "");
                if (version.find()) {
                    versions.put(item.substring(0, space), Integer.valueOf(version.group(1)));
                }
            }
        }
        int newest = versions.values().stream().reduce(TableShape.FIRST_VERSION, Math::max);
        return new TableDefinition(
                table.name(), keyspace, name, text, new TableShape(columns, primaryKey, 0), versions, newest);
    }

    /** This table, created with one more option. */
    TableDefinition with(String option) {
        int end = ddl.lastIndexOf(';');
        return new TableDefinition(
                shortName,
                keyspace,
                table,
                ddl.substring(0, end) + "\n    AND " + option + ddl.substring(end),
                shape,
                versions,
                version);
    }

    /** The version that a table has: the newest one of which no column is missing. */
    int versionOf(TableShape actual) {
        return missingIn(actual).stream()
                .map(missing -> versions.getOrDefault(missing, TableShape.FIRST_VERSION) - 1)
                .reduce(version, Math::min);
    }

    /** What a table lacks that is otherwise ours: columns of later versions. Empty if it is wrong in any other way. */
    List<String> missingIn(TableShape actual) {
        List<String> missing = shape.columns().keySet().stream()
                .filter(column -> !actual.columns().containsKey(column))
                .toList();
        return missing.stream().allMatch(versions::containsKey)
                        && actual.differencesFrom(shape).size() == missing.size()
                ? missing
                : List.of();
    }

    /** Adds a column of a later version. */
    String ddlOf(String column) {
        return "ALTER TABLE %s ADD %s %s;"
                .formatted(qualifiedName(), column, shape.columns().get(column));
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
