package io.surewrite.autoconfigure;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The circuit breakers around single attempts of retried writes. Needs resilience4j-circuitbreaker.
 *
 * @param enabled Whether there is one.
 * @param failureRate Share of unavailable attempts, in percent, at which it opens.
 * @param window How many of the last attempts are looked at. Two fifths of them must be there before it may open.
 * @param openFor How long it stays open before a few attempts may try again.
 */
@ConfigurationProperties("surewrite.retry.circuit-breaker")
record CircuitBreakerProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("50") float failureRate,
        @DefaultValue("50") int window,
        @DefaultValue("5s") Duration openFor) {}
