package io.surewrite.schema;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.util.List;

/** Problems that leave nothing to check, with their mends. */
final class SchemaProblems {

    static final String RUN_THE_NEWER_RELEASE =
            "Start the release that the other processes run, or a later one. The table was closed to older ones on purpose.";

    private SchemaProblems() {}

    static String tooOld(TableDefinition definition, int needed) {
        return "The table %s is closed to processes before version %d of it, and this one knows version %d: it is of an older release."
                .formatted(definition.qualifiedName(), needed, definition.version());
    }

    static SchemaException noKeyspace() {
        return new SchemaException(
                List.of("The Cassandra session has no keyspace, so there is no place for the tables."),
                "Set spring.cassandra.keyspace-name, or surewrite.schema.keyspace for the tables of Surewrite alone.");
    }

    static SchemaException missingKeyspace(CqlIdentifier keyspace) {
        return new SchemaException(
                List.of("The keyspace %s of surewrite.schema.keyspace does not exist.".formatted(keyspace.asCql(true))),
                "Surewrite never creates a keyspace. " + createKeyspace(keyspace.asCql(true)));
    }

    private static String createKeyspace(String keyspace) {
        return """
                Correct the name, or create the keyspace with the replication that you need, for example:

                CREATE KEYSPACE %s WITH replication = \
                {'class': 'NetworkTopologyStrategy', 'replication_factor': 3};""".formatted(keyspace);
    }

    static SchemaException failed(String what, String ddl, RuntimeException cause) {
        SchemaException failure =
                new SchemaException(List.of("%s: %s".formatted(what, cause.getMessage())), """
                Mend that, or, if the application's role shall not create or alter tables, run this CQL beforehand \
                and set surewrite.schema.initialize=never:

                %s""".formatted(ddl));
        failure.initCause(cause);
        return failure;
    }

    static SchemaException noAgreement() {
        return new SchemaException(
                List.of("The nodes of the cluster do not agree on the schema after tables were created."),
                "See `nodetool describecluster`; start again once all nodes show one schema version. Where several"
                        + " instances start together, run the DDL beforehand and set surewrite.schema.initialize=never.");
    }
}
