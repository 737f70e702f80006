package io.surewrite.schema;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Which processes may use a table, as the driver's schema metadata has it: no request is sent, and every process hears of
 * an {@code ALTER TABLE} within a second or two.
 */
final class TableUsers {

    private final CqlSession session;
    private final TableDefinition definition;
    private volatile Known known = new Known(null, TableVersion.FIRST);

    /**
     * @param metadata of the table
     * @param needed the least version of a process that may use it
     */
    private record Known(@Nullable TableMetadata metadata, int needed) {}

    TableUsers(CqlSession session, TableDefinition definition) {
        this.session = session;
        this.definition = definition;
    }

    /** {@return the least version of a process that may use the table} */
    int needed() {
        TableMetadata metadata = session.getMetadata()
                .getKeyspace(definition.keyspace())
                .flatMap(keyspace -> keyspace.getTable(definition.table()))
                .orElse(null);
        Known last = known;
        if (metadata == null || metadata == last.metadata()) {
            return last.needed();
        }
        int needed = TableVersion.neededBy(metadata.getColumns().keySet().stream()
                .map(CqlIdentifier::asInternal)
                .toList());
        // It only ever rises: metadata that is read again may come from a node that is behind.
        Known now = new Known(metadata, Math.max(needed, last.needed()));
        known = now;
        return now.needed();
    }
}
