package io.surewrite.autoconfigure;

import io.surewrite.lease.LeaseSettingsException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says which property of the leases is wrong, without a stack trace. */
final class LeaseSettingsFailureAnalyzer extends AbstractFailureAnalyzer<LeaseSettingsException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, LeaseSettingsException cause) {
        return new FailureAnalysis(
                cause.getMessage(), "Correct the properties under " + LeaseProperties.PREFIX + ".", cause);
    }
}
