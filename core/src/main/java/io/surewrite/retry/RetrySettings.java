package io.surewrite.retry;

import io.surewrite.cql.Backoff;
import java.time.Duration;

/**
 * How often and how long a write is tried.
 *
 * @param attempts the greatest number of attempts, the first one included
 * @param deadline how long after the start another attempt may begin; the last one may take a request timeout more
 * @param backoff how long to wait between attempts
 */
public record RetrySettings(int attempts, Duration deadline, Backoff backoff) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if there is not at least one attempt or the deadline is not positive
     */
    public RetrySettings {
        if (attempts < 1) {
            throw new IllegalArgumentException("There must be at least 1 attempt, but attempts = " + attempts);
        }
        if (deadline.isNegative() || deadline.isZero()) {
            throw new IllegalArgumentException("The deadline must be positive, but deadline = " + deadline);
        }
    }
}
