package io.surewrite.internal.cql;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.surewrite.embedded.SharedCassandra;
import java.time.Duration;
import java.util.List;

/** A session in the keyspace of schema.cql, with its tables. */
final class OracleSession {

    private static final String KEYSPACE = TestSchema.KEYSPACE.asInternal();

    private OracleSession() {}

    static CqlSession open() {
        SharedCassandra server = SharedCassandra.get();
        server.dropKeyspace(KEYSPACE);
        server.createKeyspace(KEYSPACE);
        CqlSession session = CqlSession.builder()
                .addContactPoint(server.contactPoint())
                .withLocalDatacenter(server.localDatacenter())
                .withKeyspace(TestSchema.KEYSPACE)
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30))
                        // Otherwise each statement that creates a table waits for a second.
                        .withDuration(DefaultDriverOption.METADATA_SCHEMA_WINDOW, Duration.ofMillis(1))
                        .withStringList(DefaultDriverOption.METADATA_SCHEMA_REFRESHED_KEYSPACES, List.of(KEYSPACE))
                        .build())
                .build();
        // Its tables are truncated again and again, which would write files.
        session.execute("ALTER KEYSPACE " + KEYSPACE + " WITH durable_writes = false");
        TestSchema.statements().forEach(session::execute);
        session.refreshSchema();
        return session;
    }

    static void close(CqlSession session) {
        session.close();
        SharedCassandra.get().dropKeyspace(KEYSPACE);
    }
}
