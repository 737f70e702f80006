package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.schema.SchemaInitializer;
import io.surewrite.schema.SchemaSettings;
import io.surewrite.schema.SchemaTable;
import io.surewrite.schema.SurewriteSchema;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.cassandra.autoconfigure.CassandraConnectionDetails;
import org.springframework.core.io.Resource;

/** Creates or checks tables, as the properties say: at the start, or when a feature is first used. */
final class SchemaOnDemand {

    private final SchemaProperties properties;
    private final @Nullable CassandraConnectionDetails server;

    SchemaOnDemand(SchemaProperties properties, @Nullable CassandraConnectionDetails server) {
        this.properties = properties;
        this.server = server;
    }

    /** Our tables alone, by their short names. */
    SurewriteSchema tables(CqlSession session, String... names) {
        return initialize(session, Stream.of(names).map(SchemaTable::named).toList(), List.of());
    }

    SurewriteSchema initialize(CqlSession session, List<SchemaTable> tables, List<Resource> scripts) {
        SchemaSettings settings = new SchemaSettings(
                properties.initialize(),
                EmbeddedServer.serves(session, server),
                properties.keyspace(),
                properties.tablePrefix(),
                scripts);
        return new SchemaInitializer(session, settings).initialize(tables);
    }
}
