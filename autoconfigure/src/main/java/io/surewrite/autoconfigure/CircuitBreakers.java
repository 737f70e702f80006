package io.surewrite.autoconfigure;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.StateTransition;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.surewrite.autoconfigure.RetryProperties.CircuitBreakerProperties;
import io.surewrite.internal.observe.Observed;
import io.surewrite.retry.Circuit;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A circuit breaker for each session, made when it is first asked for; loaded only where Resilience4j is. */
final class CircuitBreakers implements Circuit {

    private static final Logger log = LoggerFactory.getLogger(CircuitBreakers.class);

    private static final float FAILURE_RATE = 50;
    private static final int WINDOW = 50;
    private static final int MINIMUM = 20;
    private static final int HALF_OPEN_ATTEMPTS = 3;

    private final CircuitBreakerRegistry bySession;

    /** @param closed called each time when one closes: the cluster is back */
    CircuitBreakers(CircuitBreakerProperties properties, Runnable closed) {
        bySession = CircuitBreakerRegistry.of(CircuitBreakerConfig.custom()
                .failureRateThreshold(FAILURE_RATE)
                .slidingWindowSize(WINDOW)
                .minimumNumberOfCalls(MINIMUM)
                .waitDurationInOpenState(properties.openFor())
                .permittedNumberOfCallsInHalfOpenState(HALF_OPEN_ATTEMPTS)
                // A call that never ends would keep it half-open for ever. Rare calls need time to close it.
                .maxWaitDurationInHalfOpenState(properties.openFor().multipliedBy(10))
                .build());
        watch(made -> made.getEventPublisher().onStateTransition(event -> {
            log(made.getName(), event.getStateTransition());
            if (event.getStateTransition().getToState() == State.CLOSED) {
                closed.run();
            }
        }));
    }

    /** Shows those that were made, and from now on each that is, perhaps twice. */
    void watch(Consumer<CircuitBreaker> watcher) {
        bySession.getEventPublisher().onEntryAdded(made -> watcher.accept(made.getAddedEntry()));
        bySession.getAllCircuitBreakers().forEach(watcher);
    }

    /** Written here: Spring looks at the methods of configurations, so none may have a type of Resilience4j, not even in a lambda. */
    void show(SurewriteMeters meters) {
        watch(one -> meters.circuit(one.getName(), one::getState));
    }

    /** One that tries every few seconds whether the cluster is back stays open for whoever reads the log. */
    private static void log(String name, StateTransition change) {
        if (change.getToState() == State.CLOSED) {
            log.info("The circuit breaker of Cassandra writes of {} is closed: writes are sent again", name);
        } else if (change.getFromState() == State.CLOSED) {
            log.warn(
                    "The circuit breaker of Cassandra writes of {} is {}",
                    name,
                    Observed.lowerCase(change.getToState()));
        }
    }

    @Override
    public Circuit ofSession(String session) {
        return new Breaker(this, bySession.circuitBreaker(session));
    }

    private record Breaker(CircuitBreakers all, CircuitBreaker breaker) implements Circuit {

        @Override
        public Circuit ofSession(String session) {
            return all.ofSession(session);
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
}
