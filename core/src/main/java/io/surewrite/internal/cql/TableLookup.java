package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.ListType;
import com.datastax.oss.driver.api.core.type.MapType;
import com.datastax.oss.driver.api.core.type.SetType;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the check has to know about the schema. */
public interface TableLookup {

    /**
     * The table of this name.
     *
     * @param keyspace the keyspace named in the statement, or null for the session's
     * @return empty if there is none or that is not known, which refuses every write to it
     */
    Optional<TableMetadata> findTable(@Nullable CqlIdentifier keyspace, CqlIdentifier table);

    /**
     * Whether users have defined a function of this name, which could stand in for Cassandra's own.
     *
     * @param keyspace the keyspace of the table that is written
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

    /**
     * How long a table keeps its tombstones, its {@code gc_grace_seconds}: an older write that comes later than that can bring
     * deleted data back.
     *
     * @return the time, or null if the metadata does not say
     */
    static @Nullable Duration gcGrace(TableMetadata table) {
        return table.getOptions().get(CqlIdentifier.fromInternal("gc_grace_seconds")) instanceof Number seconds
                ? Duration.ofSeconds(seconds.longValue())
                : null;
    }

    /** How Cassandra stores a column, as far as a retry can see it. */
    enum ColumnShape {
        /** One cell an element, under a key made by the server. */
        LIST,
        /** A set or a map: one cell an element, under the element itself or its key. */
        KEYED,
        /** Anything else: overwritten as it is said, whole or by its fields. */
        PLAIN;

        public static ColumnShape of(DataType type) {
            if (type instanceof ListType list && !list.isFrozen()) {
                return LIST;
            }
            boolean keyed = (type instanceof SetType set && !set.isFrozen())
                    || (type instanceof MapType map && !map.isFrozen());
            return keyed ? KEYED : PLAIN;
        }
    }
}
