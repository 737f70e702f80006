package io.surewrite.actuate;

import io.surewrite.cql.FailureKind;
import io.surewrite.cql.WriteListener;
import io.surewrite.cql.observe.QuietLog;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;

/**
 * Logs what changes, and what is lost, or may be, unless an operator acts: a warning is about the latter alone. A logical write
 * has one line at most, and lines that may come often come once a minute and say how many there were. What happens to a single
 * attempt, or a single kept write, is logged for debugging. A failure is named by its type: its message may hold values.
 */
public final class LoggingListener implements WriteListener {

    private static final Logger log = LoggerFactory.getLogger(LoggingListener.class);

    private static final String CLOSED = "CLOSED";

    /** A conditional statement of a lease, of a guarded write or of a sweep: no logical write of its own. */
    private static final String STEP = "conditional";

    private final QuietLog lines;
    private final Map<String, Boolean> circuitsNotClosed = new ConcurrentHashMap<>();

    /** Creates the listener. */
    public LoggingListener() {
        this(System::nanoTime);
    }

    /**
     * @param nanos measures how long ago a line was
     */
    LoggingListener(LongSupplier nanos) {
        this.lines = new QuietLog(nanos);
    }

    // Logical writes

    @Override
    public WriteListener.Call started(String operation) {
        return new LoggedCall(operation);
    }

    private final class LoggedCall implements WriteListener.Call {

        private final String operation;

        /** How the last attempt failed that did. */
        private volatile @Nullable String failed;

        private LoggedCall(String operation) {
            this.operation = operation;
        }

        @Override
        public void attemptFailed(int attempt, FailureKind kind, Throwable failure) {
            if (kind != FailureKind.OTHER) {
                failed = NestedExceptionUtils.getMostSpecificCause(failure)
                                .getClass()
                                .getSimpleName()
                        + ", " + LowerCase.of(kind);
                log.debug("{}: attempt {} failed: {}", operation, attempt, failed);
            }
        }

        @Override
        public void ended(End end, int attempts) {
            switch (end) {
                case UNKNOWN -> givenUp(attempts, "it may be in effect, or come into effect", end);
                case EXHAUSTED -> {
                    if (attempts > 0) { // else a circuit breaker has a line of its own
                        givenUp(attempts, "it is not in effect", end);
                    }
                }
                case KEPT ->
                    log.debug("{}: kept after {} attempt(s), the last failed: {}", operation, attempts, failed);
                case SUCCEEDED, REJECTED, FAILED -> {
                    if (attempts > 1) {
                        lines.say(
                                operation + '|' + end,
                                more -> log.info(
                                        "{}: {} after {} attempts, one failed: {}{}",
                                        operation,
                                        LowerCase.of(end),
                                        attempts,
                                        failed,
                                        more));
                    }
                }
            }
        }

        private void givenUp(int attempts, String so, End end) {
            if (operation.equals(STEP)) { // whoever asked for it says what it was for
                log.debug("{}: given up after {} attempt(s), {}. The last failed: {}", operation, attempts, so, failed);
                return;
            }
            lines.say(
                    operation + '|' + end,
                    more -> log.warn(
                            "{}: given up after {} attempt(s), {}. The last failed: {}{}",
                            operation,
                            attempts,
                            so,
                            failed,
                            more));
        }
    }

    // Circuit breakers

    /** A breaker that tries every few seconds whether the cluster is back stays open for whoever reads the log. */
    @Override
    public void circuitChanged(String circuit, String state) {
        if (state.equals(CLOSED)) {
            circuitsNotClosed.remove(circuit);
            log.info("The circuit breaker of Cassandra writes of {} is closed: writes are sent again", circuit);
        } else if (circuitsNotClosed.putIfAbsent(circuit, true) == null) {
            log.warn("The circuit breaker of Cassandra writes of {} is {}", circuit, LowerCase.of(state));
        } else {
            log.debug("The circuit breaker of Cassandra writes of {} is {}", circuit, LowerCase.of(state));
        }
    }
}
