package io.surewrite.actuate;

import io.surewrite.backlog.BacklogListener;
import io.surewrite.backlog.DeadLetter;
import io.surewrite.cql.FailureKind;
import io.surewrite.cql.WriteListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;

/**
 * Logs what did not go as it should, and what is lost, or may be, unless an operator acts. A failure is named by its type:
 * its message may hold values.
 */
public final class LoggingListener implements WriteListener, BacklogListener {

    private static final Logger log = LoggerFactory.getLogger(LoggingListener.class);

    @Override
    public Call started(String operation) {
        return new LoggedCall(operation);
    }

    @Override
    public void circuitChanged(String state) {
        log.warn("The circuit breaker of Cassandra writes is {}", state);
    }

    @Override
    public void circuitChanged(String circuit, String state) {
        log.warn("The circuit breaker of Cassandra writes of {} is {}", circuit, state);
    }

    private record LoggedCall(String operation) implements Call {

        @Override
        public void attemptFailed(int attempt, FailureKind kind, Throwable failure) {
            if (kind != FailureKind.OTHER) {
                String type = NestedExceptionUtils.getMostSpecificCause(failure)
                        .getClass()
                        .getSimpleName();
                log.info("{}: attempt {} failed with {}, outcome {}", operation, attempt, type, kind);
            }
        }

        @Override
        public void ended(End end, int attempts) {
            if (end == End.UNKNOWN || end == End.EXHAUSTED || end == End.KEPT) {
                log.warn("{}: given up after {} attempt(s), outcome {}", operation, attempts, end);
            } else if (attempts > 1) {
                log.info("{}: {} after {} attempts", operation, end, attempts);
            }
        }
    }

    @Override
    public void notKept(String operation, Throwable why) {
        log.warn(
                "{}: could not be kept in the backlog, {}",
                operation,
                why.getClass().getSimpleName());
    }

    @Override
    public void expired(String operation) {
        log.info("{}: expired before it could be done, dropped from the backlog", operation);
    }

    @Override
    public void died(DeadLetter letter) {
        log.warn(
                "{}: given up after it was kept, dead letter {}, {}", letter.operation(), letter.id(), letter.reason());
    }
}
