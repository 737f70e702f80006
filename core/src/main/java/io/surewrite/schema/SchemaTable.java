package io.surewrite.schema;

import io.surewrite.write.Internal;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;

/**
 * A table that a feature contributes as a bean; its name stands without the configured prefix, and its primary key after its
 * columns. Not every keyspace permits tables that are written conditionally.
 */
@Internal
public record SchemaTable(String name, Resource ddl, boolean conditional, boolean onDemand) {

    /** A table whose DDL lies next to this class, needed by every application. */
    public static SchemaTable named(String name) {
        return new SchemaTable(name, new ClassPathResource(name + ".cql", SchemaTable.class), false, false);
    }

    public SchemaTable writtenConditionally() {
        return new SchemaTable(name, ddl, true, onDemand);
    }

    /** Needed only once {@link SurewriteSchema#table} is asked for it. */
    public SchemaTable onFirstUse() {
        return new SchemaTable(name, ddl, conditional, true);
    }
}
