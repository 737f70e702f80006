package io.surewrite.autoconfigure;

import io.surewrite.journal.JournalException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says which setting of the journal is wrong, without a stack trace. */
final class JournalFailureAnalyzer extends AbstractFailureAnalyzer<JournalException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, JournalException cause) {
        return new FailureAnalysis(cause.getMessage(), "Correct the properties under surewrite.journal.", cause);
    }
}
