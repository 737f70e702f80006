package io.surewrite.autoconfigure;

import io.surewrite.backlog.BacklogException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says why the backlog cannot be opened, without a stack trace. */
final class BacklogFailureAnalyzer extends AbstractFailureAnalyzer<BacklogException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, BacklogException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "Mend what the message says, or start without the backlog: %s.enabled=false. Writes that wait stay in its directory."
                        .formatted(BacklogProperties.PREFIX),
                cause);
    }
}
