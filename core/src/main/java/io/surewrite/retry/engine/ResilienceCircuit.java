package io.surewrite.retry.engine;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.surewrite.retry.Circuit;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** A {@link Circuit} on Resilience4j. */
public final class ResilienceCircuit implements Circuit {

    private final CircuitBreaker breaker;
    private final Clock clock;

    /** Resilience4j does not tell it. */
    private volatile Instant openUntil = Instant.MIN;

    /**
     * Creates the circuit.
     *
     * @param breaker records failures; which ones is decided here. It is closed, and always waits for the same time
     */
    public ResilienceCircuit(CircuitBreaker breaker) {
        CircuitBreakerConfig config = breaker.getCircuitBreakerConfig();
        this.breaker = breaker;
        this.clock = config.getClock();
        long wait = config.getWaitIntervalFunctionInOpenState().apply(1);
        breaker.getEventPublisher().onStateTransition(event -> {
            boolean opens = event.getStateTransition().getToState() == CircuitBreaker.State.OPEN;
            openUntil = opens ? clock.instant().plusMillis(wait) : Instant.MIN;
        });
    }

    @Override
    public boolean tryPass() {
        return breaker.tryAcquirePermission();
    }

    @Override
    public Duration remainsOpen() {
        Instant until = openUntil;
        Instant now = clock.instant();
        return until.isAfter(now) ? Duration.between(now, until) : Duration.ZERO;
    }

    @Override
    public void answered(long nanos) {
        breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void unavailable(long nanos, Throwable failure) {
        breaker.onError(nanos, TimeUnit.NANOSECONDS, failure);
    }

    @Override
    public void nothingLearnt() {
        breaker.releasePermission();
    }
}
