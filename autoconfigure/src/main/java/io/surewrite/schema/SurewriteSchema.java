package io.surewrite.schema;

import java.util.Map;

/**
 * The tables of Surewrite. Whoever holds this knows that they exist and have the right columns; depending on this bean
 * is therefore how to start after them.
 */
public final class SurewriteSchema {

    /** Where nothing is needed. */
    public static final SurewriteSchema EMPTY = new SurewriteSchema(Map.of());

    private final Map<String, String> tables;

    SurewriteSchema(Map<String, String> tables) {
        this.tables = Map.copyOf(tables);
    }

    /**
     * The name to use in CQL.
     *
     * @param name the name of a {@link SchemaTable}
     * @return the table with its keyspace and prefix
     * @throws IllegalArgumentException if no table of this name was contributed
     */
    public String table(String name) {
        String table = tables.get(name);
        if (table == null) {
            throw new IllegalArgumentException(
                    "No SchemaTable bean is named '%s'; there are %s".formatted(name, tables.keySet()));
        }
        return table;
    }
}
