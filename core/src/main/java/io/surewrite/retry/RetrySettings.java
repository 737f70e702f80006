package io.surewrite.retry;

import io.surewrite.write.Backoff;
import java.time.Duration;
import org.springframework.util.Assert;

/**
 * How often and how long a write is tried.
 *
 * @param attempts the greatest number of attempts, the first one included; at least 1
 * @param deadline how long after the start another attempt may begin; the last one may take a request timeout more
 * @param backoff how long to wait between attempts
 */
public record RetrySettings(int attempts, Duration deadline, Backoff backoff) {

    /** Throws an {@link IllegalArgumentException} if there is not at least one attempt or the deadline is not positive. */
    public RetrySettings {
        Assert.isTrue(attempts >= 1, () -> "There must be at least 1 attempt, but attempts = " + attempts);
        Assert.isTrue(
                !deadline.isNegative() && !deadline.isZero(),
                () -> "The deadline must be positive, but deadline = " + deadline);
    }
}
