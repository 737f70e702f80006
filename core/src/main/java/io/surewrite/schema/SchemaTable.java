package io.surewrite.schema;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;

/**
 * A table that a feature needs. Contributed as a bean; {@link SurewriteSchema} then sees to it that it is there.
 *
 * @param name the table's name without the configured prefix
 * @param ddl one {@code CREATE TABLE IF NOT EXISTS ${table}} statement, whose primary key stands after its columns
 * @param conditional whether lightweight transactions write it, which not every keyspace permits
 * @param onDemand whether it is needed only once {@link SurewriteSchema#table} is asked for it
 */
public record SchemaTable(String name, Resource ddl, boolean conditional, boolean onDemand) {

    /**
     * A table of our own, whose DDL lies next to this class, needed by every application.
     *
     * @param name the table's name without prefix, and the resource's name without {@code .cql}
     * @return the table
     */
    public static SchemaTable named(String name) {
        return new SchemaTable(name, new ClassPathResource(name + ".cql", SchemaTable.class), false, false);
    }

    /** {@return the same table, written by lightweight transactions} */
    public SchemaTable writtenConditionally() {
        return new SchemaTable(name, ddl, true, onDemand);
    }

    /** {@return the same table, needed only once its name is asked for} */
    public SchemaTable onFirstUse() {
        return new SchemaTable(name, ddl, conditional, true);
    }
}
