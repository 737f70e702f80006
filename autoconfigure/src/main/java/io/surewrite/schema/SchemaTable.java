package io.surewrite.schema;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;

/**
 * A table that a feature needs. Contributed as a bean; {@link SurewriteSchema} then sees to it that it is there.
 *
 * @param name the table's name without the configured prefix
 * @param ddl one {@code CREATE TABLE IF NOT EXISTS ${table}} statement, a column or the primary key to a line
 */
public record SchemaTable(String name, Resource ddl) {

    /**
     * A table of our own, whose DDL lies next to this class.
     *
     * @param name the table's name without prefix, and the resource's name without {@code .cql}
     * @return the table
     */
    public static SchemaTable named(String name) {
        return new SchemaTable(name, new ClassPathResource(name + ".cql", SchemaTable.class));
    }
}
