package io.surewrite.retry;

import java.time.Duration;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * The circuit breaker is open: the cluster was not to be reached lately, and this attempt was not sent. It is not
 * retried.
 */
public class WriteCircuitOpenException extends DataAccessResourceFailureException {

    private static final long serialVersionUID = 1L;

    private final Duration remainsOpen;

    public WriteCircuitOpenException(String operation, Duration remainsOpen) {
        super(operation
                + " was not sent: the circuit breaker is open, because the cluster could not be reached lately");
        this.remainsOpen = remainsOpen;
    }

    /** {@return how long the circuit stayed open when this was thrown: no attempt passes earlier; zero if that is not known} */
    public Duration remainsOpen() {
        return remainsOpen;
    }
}
