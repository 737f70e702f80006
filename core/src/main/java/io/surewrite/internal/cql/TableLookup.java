package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the check has to know about the schema. */
@FunctionalInterface
public interface TableLookup {

    /** Without a keyspace, in the session's. Where none is found, each write to it is refused. */
    Optional<TableMetadata> findTable(@Nullable CqlIdentifier keyspace, CqlIdentifier table);

    /** The driver's schema metadata, as it stands at this moment. */
    static TableLookup of(CqlSession session) {
        Metadata metadata = session.getMetadata();
        return (keyspace, table) -> Optional.ofNullable(keyspace)
                .or(session::getKeyspace)
                .flatMap(metadata::getKeyspace)
                .flatMap(found -> found.getTable(table));
    }

    /** How long a table keeps its tombstones: an older write that comes later than that can bring deleted data back. */
    static @Nullable Duration gcGrace(TableMetadata table) {
        return table.getOptions().get(CqlIdentifier.fromInternal("gc_grace_seconds")) instanceof Number seconds
                ? Duration.ofSeconds(seconds.longValue())
                : null;
    }
}
