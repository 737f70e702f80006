package io.surewrite.autoconfigure;

import io.surewrite.retry.RetrySettings;
import io.surewrite.write.Backoff;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How idempotent writes are retried.
 *
 * @param enabled Whether @Idempotent methods are retried and the retry templates are there.
 * @param attempts How often a write is tried at most, the first attempt included.
 * @param deadline How long after its start a write may be tried again. Well below the tables' gc_grace_seconds.
 * @param initialBackoff Upper bound of the random wait before the second attempt. Doubles with each attempt, up to two
 *     seconds.
 */
@ConfigurationProperties(RetryProperties.PREFIX)
record RetryProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("4") int attempts,
        @DefaultValue("10s") Duration deadline,
        @DefaultValue("50ms") Duration initialBackoff) {

    static final String PREFIX = "surewrite.retry";

    private static final Duration MAX_BACKOFF = Duration.ofSeconds(2);

    RetryProperties {
        require(attempts >= 1, "attempts", attempts, "there must be at least 1");
        require(deadline.compareTo(Duration.ZERO) > 0, "deadline", deadline, "it must be positive");
        require(!initialBackoff.isNegative(), "initial-backoff", initialBackoff, "it must not be negative");
    }

    RetrySettings settings() {
        Duration max = initialBackoff.compareTo(MAX_BACKOFF) > 0 ? initialBackoff : MAX_BACKOFF;
        return new RetrySettings(attempts, deadline, new Backoff(initialBackoff, max, 2));
    }

    private static void require(boolean valid, String name, Object value, String otherwise) {
        PropertyCheck.require(valid, PREFIX + "." + name, value, otherwise);
    }

    /**
     * The circuit breakers around single attempts of retried writes. Needs resilience4j-circuitbreaker.
     *
     * @param enabled Whether there is one.
     * @param openFor How long it stays open before a few attempts may try again.
     */
    @ConfigurationProperties("surewrite.retry.circuit-breaker")
    record CircuitBreakerProperties(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("5s") Duration openFor) {}
}
