package io.surewrite.autoconfigure;

import io.surewrite.cql.SerialConsistencyException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says which level the others use and how to change it, without a stack trace. */
final class SerialConsistencyFailureAnalyzer extends AbstractFailureAnalyzer<SerialConsistencyException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, SerialConsistencyException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.mend(), cause);
    }
}
