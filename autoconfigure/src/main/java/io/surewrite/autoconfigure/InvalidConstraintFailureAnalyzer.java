package io.surewrite.autoconfigure;

import io.surewrite.unique.InvalidConstraintException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says which unique constraint cannot be guarded, and what to do instead, without a stack trace. */
final class InvalidConstraintFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConstraintException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidConstraintException cause) {
        return new FailureAnalysis(
                cause.getMessage(), cause.action() + " docs/unique.md says what can be unique.", cause);
    }
}
