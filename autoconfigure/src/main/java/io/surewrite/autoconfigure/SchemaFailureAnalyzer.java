package io.surewrite.autoconfigure;

import io.surewrite.schema.SchemaException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints what is wrong with the tables and the CQL that mends it, without a stack trace. */
final class SchemaFailureAnalyzer extends AbstractFailureAnalyzer<SchemaException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, SchemaException cause) {
        return new FailureAnalysis(String.join("\n", cause.problems()), cause.mend(), cause);
    }
}
