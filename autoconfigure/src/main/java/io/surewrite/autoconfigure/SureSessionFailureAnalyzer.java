package io.surewrite.autoconfigure;

import io.surewrite.session.SureSessionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says which template has no session that could be used, without a stack trace. */
final class SureSessionFailureAnalyzer extends AbstractFailureAnalyzer<SureSessionException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, SureSessionException cause) {
        return new FailureAnalysis(
                cause.problem(), cause.action() + " docs/session.md says how several sessions are used.", cause);
    }
}
