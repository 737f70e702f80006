package io.surewrite.write;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.retry.RetryDecision;
import com.datastax.oss.driver.api.core.retry.RetryPolicy;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import com.datastax.oss.driver.api.core.servererrors.WriteType;
import com.datastax.oss.driver.api.core.session.Request;

/**
 * A driver retry policy that hands every failure to the caller at once.
 *
 * <p>Conditional writes need it: after a failure only the caller, who knows the write's token, can tell whether the
 * write was applied. The driver makes the instance, by the name of this class in its configuration.
 */
@SuppressWarnings(
        "deprecation") // the abstract methods are the deprecated ones; the driver derives the others from them
public final class NeverRetryPolicy implements RetryPolicy {

    /** Called by the driver. */
    public NeverRetryPolicy(DriverContext context, String profileName) {}

    @Override
    public RetryDecision onReadTimeout(
            Request request, ConsistencyLevel cl, int blockFor, int received, boolean dataPresent, int retryCount) {
        return RetryDecision.RETHROW;
    }

    @Override
    public RetryDecision onWriteTimeout(
            Request request, ConsistencyLevel cl, WriteType writeType, int blockFor, int received, int retryCount) {
        return RetryDecision.RETHROW;
    }

    @Override
    public RetryDecision onUnavailable(Request request, ConsistencyLevel cl, int required, int alive, int retryCount) {
        return RetryDecision.RETHROW;
    }

    @Override
    public RetryDecision onRequestAborted(Request request, Throwable error, int retryCount) {
        return RetryDecision.RETHROW;
    }

    @Override
    public RetryDecision onErrorResponse(Request request, CoordinatorException error, int retryCount) {
        return RetryDecision.RETHROW;
    }

    @Override
    public void close() {}
}
