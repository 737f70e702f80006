package io.surewrite.cql;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.InvalidKeyspaceException;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.UnsupportedProtocolVersionException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.connection.ConnectionInitException;
import com.datastax.oss.driver.api.core.connection.FrameTooLongException;
import com.datastax.oss.driver.api.core.connection.HeartbeatException;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.FunctionFailureException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.TruncateException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.WriteType;
import com.datastax.oss.driver.api.core.type.codec.CodecNotFoundException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;

/** The table of the driver's exceptions, taken one by one. */
final class FailureTable {

    private FailureTable() {}

    static FailureKind kindOf(Throwable failure, boolean conditional) {
        if (isNeverSent(failure)) {
            return FailureKind.NOT_APPLIED;
        }
        if (isWrong(failure)) {
            return FailureKind.WRONG_STATEMENT;
        }
        if (failure instanceof UnavailableException unavailable) {
            // Past the serial phase the ballot may already be accepted.
            return !conditional || unavailable.getConsistencyLevel().isSerial()
                    ? FailureKind.NOT_APPLIED
                    : FailureKind.UNKNOWN;
        }
        if (failure instanceof ReadTimeoutException || failure instanceof ReadFailureException) {
            // The read of a contended conditional write may follow a proposal that some replicas accepted.
            return conditional ? FailureKind.UNKNOWN : FailureKind.NOT_APPLIED;
        }
        if (failure instanceof WriteTimeoutException timeout && conditional) {
            return timeout.getWriteType() == WriteType.SIMPLE ? FailureKind.DECIDED : FailureKind.UNKNOWN;
        }
        return isLostAnswer(failure) ? FailureKind.UNKNOWN : FailureKind.OTHER;
    }

    static boolean isEncoding(Throwable failure) {
        return failure instanceof IllegalArgumentException
                || (failure.getCause() instanceof IllegalArgumentException)
                || failure.getCause() instanceof CodecNotFoundException;
    }

    static boolean isNeverSent(Throwable failure) {
        return failure instanceof NodeUnavailableException
                || failure instanceof RequestThrottlingException
                || failure instanceof BusyConnectionException
                || failure instanceof ConnectionInitException
                || failure instanceof BootstrappingException;
    }

    private static boolean isWrong(Throwable failure) {
        return failure instanceof QueryValidationException
                || failure instanceof FunctionFailureException
                || failure instanceof TruncateException
                || failure instanceof InvalidKeyspaceException
                || failure instanceof UnsupportedProtocolVersionException
                || failure instanceof AuthenticationException
                || failure instanceof FrameTooLongException
                || failure instanceof CodecNotFoundException;
    }

    /** These are not, or not always, {@code DriverException}s; what is one and is not named here is unknown anyway. */
    private static boolean isLostAnswer(Throwable failure) {
        return failure instanceof DriverTimeoutException
                || failure instanceof ClosedConnectionException
                || failure instanceof HeartbeatException
                || failure instanceof InterruptedException
                || failure instanceof CancellationException
                || failure instanceof TimeoutException;
    }
}
