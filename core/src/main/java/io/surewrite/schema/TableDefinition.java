package io.surewrite.schema;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.io.ClassPathResource;

/** One of our tables with everything filled in. */
record TableDefinition(String shortName, CqlIdentifier keyspace, CqlIdentifier table, String ddl, TableShape shape) {

    /** Our files have a column to a line, and the primary key in the last one. */
    private static final Pattern COLUMN = Pattern.compile(" {4}(PRIMARY KEY|[a-z_]+) (.+?)(,( --.*)?)?");

    static TableDefinition of(String name, CqlIdentifier keyspace, String prefix) {
        CqlIdentifier table = CqlIdentifier.fromInternal(prefix + name);
        String text = read(name).replace("${table}", qualified(keyspace, table)).strip();
        return new TableDefinition(name, keyspace, table, text, shape(text));
    }

    private static TableShape shape(String ddl) {
        Map<String, String> columns = new LinkedHashMap<>();
        ddl.lines()
                .map(COLUMN::matcher)
                .filter(Matcher::matches)
                .forEach(line -> columns.put(line.group(1), line.group(2)));
        String primaryKey = Objects.requireNonNull(columns.remove("PRIMARY KEY"), "no primary key");
        return new TableShape(columns, primaryKey, 0);
    }

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

    private static String read(String name) {
        try {
            return new ClassPathResource(name + ".cql", TableDefinition.class)
                    .getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException none) {
            throw new IllegalArgumentException("Surewrite has no table '%s'".formatted(name), none);
        }
    }
}
