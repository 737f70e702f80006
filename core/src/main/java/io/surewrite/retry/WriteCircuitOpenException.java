package io.surewrite.retry;

import org.springframework.dao.DataAccessResourceFailureException;

/**
 * The circuit breaker is open: the cluster was not to be reached lately, and this attempt was not sent. It is not
 * retried.
 */
public class WriteCircuitOpenException extends DataAccessResourceFailureException {

    public WriteCircuitOpenException(String operation) {
        super(operation
                + " was not sent: the circuit breaker is open, because the cluster could not be reached lately");
    }
}
