package io.surewrite.autoconfigure;

import io.surewrite.retry.IdempotentMethodException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says which method must not be repeated, and why, without a stack trace. */
final class IdempotentMethodFailureAnalyzer extends AbstractFailureAnalyzer<IdempotentMethodException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, IdempotentMethodException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "Change the method as each reason says, or take @Idempotent away from it; docs/idempotence.md lists what may be repeated.",
                cause);
    }
}
