package io.surewrite.write;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.springframework.util.Assert;

/**
 * Exponential back-off with full jitter: before the next attempt wait a random time between nothing and a bound that
 * grows, so that many callers that failed together do not come back together.
 *
 * @param initial the bound before the second attempt
 * @param max what the bound never exceeds
 * @param multiplier how the bound grows with every attempt, at least 1
 * @see <a href="https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/">Exponential Backoff And
 *     Jitter</a>
 */
public record Backoff(Duration initial, Duration max, double multiplier) {

    /**
     * Throws an {@link IllegalArgumentException} if a duration is negative, {@code max} is below {@code initial} or the
     * multiplier below 1.
     */
    public Backoff {
        Assert.isTrue(!initial.isNegative(), () -> "The initial back-off must not be negative, but is " + initial);
        Assert.isTrue(
                max.compareTo(initial) >= 0,
                () -> "The maximum back-off must not be below the initial one, but %s < %s".formatted(max, initial));
        Assert.isTrue(multiplier >= 1, () -> "The back-off multiplier must be at least 1, but is " + multiplier);
    }

    /** {@return a random time to wait after so many failures, at least 1: between zero and the bound, both included} */
    public Duration afterFailures(int failures, RandomGenerator random) {
        double bound = Math.min((double) max.toNanos(), initial.toNanos() * Math.pow(multiplier, failures - 1.0));
        return Duration.ofNanos(random.nextLong((long) bound + 1));
    }
}
