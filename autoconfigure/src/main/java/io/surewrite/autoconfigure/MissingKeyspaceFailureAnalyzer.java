package io.surewrite.autoconfigure;

import io.surewrite.cql.session.DriverFailures;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/** Explains a session that could not start because its keyspace does not exist. */
final class MissingKeyspaceFailureAnalyzer implements FailureAnalyzer {

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        String keyspace = DriverFailures.missingKeyspace(failure);
        if (keyspace == null) {
            return null;
        }
        return new FailureAnalysis(
                "The keyspace %s, which the Cassandra session starts in, does not exist.".formatted(keyspace),
                """
                Neither Spring Boot nor Surewrite creates it. Correct spring.cassandra.keyspace-name, or create the \
                keyspace with the replication that you need, for example:

                CREATE KEYSPACE %s WITH replication = \
                {'class': 'NetworkTopologyStrategy', 'replication_factor': 3};""".formatted(keyspace),
                failure);
    }
}
