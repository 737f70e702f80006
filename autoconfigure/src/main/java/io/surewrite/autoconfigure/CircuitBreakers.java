package io.surewrite.autoconfigure;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.surewrite.cql.WriteListener;
import io.surewrite.retry.Circuit;
import io.surewrite.retry.ResilienceCircuit;

/** Makes circuit breakers; loaded only where Resilience4j is. */
final class CircuitBreakers {

    private CircuitBreakers() {}

    static Circuit of(CircuitBreakerProperties properties, WriteListener listener) {
        CircuitBreaker breaker = CircuitBreaker.of(
                "surewrite",
                CircuitBreakerConfig.custom()
                        .failureRateThreshold(properties.failureRate())
                        .slidingWindowSize(properties.window())
                        .minimumNumberOfCalls(properties.minimumAttempts())
                        .waitDurationInOpenState(properties.openFor())
                        .permittedNumberOfCallsInHalfOpenState(properties.halfOpenAttempts())
                        .build());
        breaker.getEventPublisher()
                .onStateTransition(event -> listener.circuitChanged(
                        event.getStateTransition().getToState().name()));
        return new ResilienceCircuit(breaker);
    }
}
