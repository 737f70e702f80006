package io.surewrite.retry.engine;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.surewrite.retry.Circuit;
import java.util.concurrent.TimeUnit;

/** A {@link Circuit} on Resilience4j. */
public final class ResilienceCircuit implements Circuit {

    private final CircuitBreaker breaker;

    /**
     * Creates the circuit.
     *
     * @param breaker records failures; which ones is decided here
     */
    public ResilienceCircuit(CircuitBreaker breaker) {
        this.breaker = breaker;
    }

    @Override
    public boolean tryPass() {
        return breaker.tryAcquirePermission();
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
