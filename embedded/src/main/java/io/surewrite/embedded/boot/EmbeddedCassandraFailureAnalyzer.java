package io.surewrite.embedded.boot;

import io.surewrite.embedded.EmbeddedCassandraException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says in a few lines why the embedded Cassandra did not start, in place of a stack trace. */
final class EmbeddedCassandraFailureAnalyzer extends AbstractFailureAnalyzer<EmbeddedCassandraException> {

    private static final String ENTRY =
            "https://github.com/surewrite/surewrite/blob/main/docs/troubleshooting.md#embeddedcassandraexception";

    EmbeddedCassandraFailureAnalyzer() {}

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, EmbeddedCassandraException cause) {
        return new FailureAnalysis(
                "The embedded Cassandra did not start: " + cause.getProblem(),
                "Fix: " + cause.getAction()
                        + " Or set spring.cassandra.contact-points to a Cassandra that runs already.\n\nWhat it means: "
                        + ENTRY,
                cause);
    }
}
