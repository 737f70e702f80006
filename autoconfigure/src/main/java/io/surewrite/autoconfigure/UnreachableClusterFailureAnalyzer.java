package io.surewrite.autoconfigure;

import io.surewrite.cql.session.DriverFailures;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/** Explains a session that could not start because no Cassandra answers. */
final class UnreachableClusterFailureAnalyzer implements FailureAnalyzer {

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        String nodes = DriverFailures.unreachableNodes(failure);
        if (nodes == null) {
            return null;
        }
        return new FailureAnalysis("No Cassandra answers at %s.".formatted(nodes), """
                Start it, or correct spring.cassandra.contact-points. For development and tests add the dependency \
                io.surewrite:surewrite-embedded-cassandra and set no contact points: it then starts a Cassandra of its own.""", failure);
    }
}
