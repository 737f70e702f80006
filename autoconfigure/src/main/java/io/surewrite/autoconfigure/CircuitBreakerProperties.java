package io.surewrite.autoconfigure;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

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
