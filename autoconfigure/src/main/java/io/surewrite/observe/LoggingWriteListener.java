package io.surewrite.observe;

import io.surewrite.cql.FailureKind;
import io.surewrite.cql.WriteListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;

/** Logs what did not go as it should. A failure is named by its type: its message may hold values. */
public final class LoggingWriteListener implements WriteListener {

    private static final Logger log = LoggerFactory.getLogger(LoggingWriteListener.class);

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
                log.info("{}: attempt {} failed with {}, outcome {}", operation, attempt, nameOf(failure), kind);
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

        private static String nameOf(Throwable failure) {
            return NestedExceptionUtils.getMostSpecificCause(failure).getClass().getSimpleName();
        }
    }
}
