package io.surewrite.schema;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.internal.cql.TableText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** One of our tables with everything filled in. */
record TableDefinition(String shortName, CqlIdentifier keyspace, CqlIdentifier table, String ddl, TableShape shape) {

    static TableDefinition of(SchemaTable table, CqlIdentifier keyspace, String prefix) {
        CqlIdentifier name = CqlIdentifier.fromInternal(prefix + table.name());
        String text = read(table).replace("${table}", qualified(keyspace, name)).strip();
        if (!CqlText.of(text).createsIfMissing().equals("table")) {
            throw new IllegalArgumentException("%s is no CREATE TABLE IF NOT EXISTS".formatted(table.ddl()));
        }
        TableText says = TableText.of(text);
        return new TableDefinition(
                table.name(), keyspace, name, text, new TableShape(says.columns(), says.primaryKey(), 0));
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

    private static String read(SchemaTable table) {
        try {
            return table.ddl().getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
