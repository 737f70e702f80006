package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the check has to know about the schema. */
public interface TableLookup {

    /**
     * The table of this name.
     *
     * @param keyspace the keyspace named in the statement, or null for the session's
     * @param table the table named in the statement
     * @return empty if there is none or that is not known, which refuses every write to it
     */
    Optional<TableMetadata> findTable(@Nullable CqlIdentifier keyspace, CqlIdentifier table);

    /**
     * Whether users have defined a function of this name, which could stand in for Cassandra's own.
     *
     * @param keyspace the keyspace of the table that is written
     * @param function the function's name
     */
    boolean hasUserFunction(CqlIdentifier keyspace, CqlIdentifier function);

    /**
     * Looks into the driver's schema metadata, as it stands at this moment.
     *
     * @param session the session, whose keyspace stands for one that is not named
     */
    static TableLookup of(CqlSession session) {
        Metadata metadata = session.getMetadata();
        return new TableLookup() {
            @Override
            public Optional<TableMetadata> findTable(@Nullable CqlIdentifier keyspace, CqlIdentifier table) {
                return Optional.ofNullable(keyspace)
                        .or(session::getKeyspace)
                        .flatMap(metadata::getKeyspace)
                        .flatMap(found -> found.getTable(table));
            }

            @Override
            public boolean hasUserFunction(CqlIdentifier keyspace, CqlIdentifier function) {
                return metadata.getKeyspace(keyspace)
                        .map(KeyspaceMetadata::getFunctions)
                        .map(functions -> functions.keySet().stream()
                                .anyMatch(signature -> signature.getName().equals(function)))
                        .orElse(true);
            }
        };
    }
}
