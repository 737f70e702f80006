package io.surewrite.retry;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A {@link Circuit} on Resilience4j. */
public final class ResilienceCircuit implements Circuit {

    private final CircuitBreaker breaker;

    /**
     * Creates the circuit.
     *
     * @param breaker records every failure it is told of; which ones it is told of is decided here
     */
    public ResilienceCircuit(CircuitBreaker breaker) {
        this.breaker = breaker;
    }

    @Override
    public boolean tryPass() {
        return breaker.tryAcquirePermission();
    }

    @Override
    public void answered(Duration took) {
        breaker.onSuccess(took.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void unavailable(Duration took, Throwable failure) {
        breaker.onError(took.toNanos(), TimeUnit.NANOSECONDS, failure);
    }

    @Override
    public void nothingLearnt() {
        breaker.releasePermission();
    }
}
