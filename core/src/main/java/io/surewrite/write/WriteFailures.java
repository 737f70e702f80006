package io.surewrite.write;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverExecutionException;
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
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.FunctionFailureException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.TruncateException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.type.codec.CodecNotFoundException;
import io.surewrite.internal.cql.CqlText;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tells what an exception means for a write, whatever it is wrapped in. It goes by the driver's exceptions alone: those
 * that Spring calls "transient" include a lost optimistic lock.
 *
 * <p>Every failure that came up on the way counts: one per node, the errors of the driver's own retries, speculative
 * executions, causes and suppressed exceptions. The worst of them decides.
 */
public final class WriteFailures {

    private static final int MAX_DEPTH = 12;

    private final boolean conditional;

    private WriteFailures(boolean conditional) {
        this.conditional = conditional;
    }

    /** {@return what a failure means for a conditional write, one with an {@code IF}} */
    public static FailureKind ofConditional(Throwable failure) {
        return new WriteFailures(true).kindOf(failure, 0);
    }

    /** {@return what a failure means for a plain, idempotent statement; a failed read is {@link FailureKind#NOT_APPLIED}} */
    public static FailureKind ofPlain(Throwable failure) {
        return new WriteFailures(false).kindOf(failure, 0);
    }

    /**
     * {@return what a failure means for a conditional write that was given to the driver, never {@link FailureKind#OTHER}} What
     * says nothing of the write may have come after it was sent.
     */
    public static FailureKind ofSentConditional(Throwable failure) {
        FailureKind kind = ofConditional(failure);
        if (kind != FailureKind.OTHER) {
            return kind;
        }
        return isEncoding(failure) ? FailureKind.WRONG_STATEMENT : FailureKind.UNKNOWN;
    }

    /** {@return whether a test holds for a failure, any of its causes, or anything suppressed} */
    public static boolean anyOf(Throwable failure, Predicate<Throwable> test) {
        return anyOf(failure, test, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private static boolean anyOf(@Nullable Throwable failure, Predicate<Throwable> test, Set<Throwable> looked) {
        return failure != null
                && looked.add(failure)
                && (test.test(failure)
                        || Stream.of(failure.getSuppressed()).anyMatch(each -> anyOf(each, test, looked))
                        || anyOf(failure.getCause(), test, looked));
    }

    private FailureKind kindOf(Throwable failure, int depth) {
        // An unknown outcome was already settled for as long as its own deadline allowed: it is final here.
        if (depth > MAX_DEPTH || failure instanceof UnknownOutcomeException) {
            return FailureKind.OTHER;
        }
        if (failure instanceof ClassifiedFailure classified) {
            return classified.failureKind();
        }
        if (failure instanceof AllNodesFailedException all) {
            return withHistory(all, ofNodes(all, depth));
        }
        if (failure instanceof DriverExecutionException wrapper && wrapper.getCause() != null) {
            return withHistory(wrapper, insideDriver(wrapper.getCause(), depth));
        }
        FailureKind known = ofException(failure);
        if (failure instanceof DriverException driverFailure) {
            return withHistory(driverFailure, known == FailureKind.OTHER ? FailureKind.UNKNOWN : known);
        }
        return known == FailureKind.OTHER ? ofWrapped(failure, depth) : known;
    }

    private FailureKind ofWrapped(Throwable failure, int depth) {
        return Stream.concat(Stream.ofNullable(failure.getCause()), Stream.of(failure.getSuppressed()))
                .map(inner -> kindOf(inner, depth + 1))
                .reduce(FailureKind.OTHER, FailureKind::or);
    }

    private FailureKind ofNodes(AllNodesFailedException failure, int depth) {
        // Without a single node no node could apply the write.
        return failure.getAllErrors().values().stream()
                .flatMap(Collection::stream)
                .map(error -> insideDriver(error, depth))
                .reduce(FailureKind.NOT_APPLIED, FailureKind::or);
    }

    /** What the driver reports and we do not know may have come after the request was sent. */
    private FailureKind insideDriver(Throwable failure, int depth) {
        if (isEncoding(failure)) {
            return FailureKind.WRONG_STATEMENT;
        }
        FailureKind kind = kindOf(failure, depth + 1);
        return kind == FailureKind.OTHER ? FailureKind.UNKNOWN : kind;
    }

    /** Adds what the driver tried before, and what is still in flight, to the kind of its last failure. */
    private FailureKind withHistory(DriverException failure, FailureKind last) {
        ExecutionInfo execution = failure.getExecutionInfo();
        if (execution == null) {
            return last;
        }
        Request request = execution.getRequest();
        if (CqlText.isRead(request)) {
            return last == FailureKind.WRONG_STATEMENT ? last : FailureKind.NOT_APPLIED;
        }
        FailureKind worst = execution.getErrors().stream()
                .map(earlier -> insideDriver(earlier.getValue(), MAX_DEPTH - 1))
                .reduce(last, FailureKind::or);
        boolean mayBeInPart = execution.getSpeculativeExecutionCount() > 0
                || (CqlText.mayWriteSeveralPartitions(request) && !wasNeverSent(failure, execution));
        return worst == FailureKind.NOT_APPLIED && mayBeInPart && !conditional ? FailureKind.UNKNOWN : worst;
    }

    private static boolean wasNeverSent(DriverException failure, ExecutionInfo execution) {
        return isNeverSent(failure)
                && execution.getErrors().stream().allMatch(earlier -> isNeverSent(earlier.getValue()));
    }

    private static boolean isNeverSent(Throwable failure) {
        return failure instanceof AllNodesFailedException all
                ? all.getAllErrors().values().stream()
                        .flatMap(Collection::stream)
                        .allMatch(WriteFailures::isNeverSent)
                : isUnsent(failure);
    }

    // ---- the table of the driver's exceptions, taken one by one ----

    private FailureKind ofException(Throwable failure) {
        if (isUnsent(failure)) {
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
        return isLostAnswer(failure) ? FailureKind.UNKNOWN : FailureKind.OTHER;
    }

    private static boolean isEncoding(Throwable failure) {
        return failure instanceof IllegalArgumentException
                || (failure.getCause() instanceof IllegalArgumentException)
                || failure.getCause() instanceof CodecNotFoundException;
    }

    private static boolean isUnsent(Throwable failure) {
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

    /**
     * A failure that says itself what it means for the write. What caused it is not looked at: that a request got no answer
     * says nothing of a write that was never sent.
     */
    @Internal
    public interface ClassifiedFailure {

        FailureKind failureKind();
    }

    /**
     * A failure that each caller may get in a copy of its own. An asynchronous step fails on another thread, as a rule one of the
     * driver, and its failure has the stack of that thread. A call that blocks throws a copy with the stack of its caller; the
     * failure itself, which others may get, stays as it is.
     */
    @Internal
    public interface CopyableFailure {

        /** {@return a failure of the same type, message, cause and contents, whose stack is that of the current thread} */
        RuntimeException copy();
    }
}
