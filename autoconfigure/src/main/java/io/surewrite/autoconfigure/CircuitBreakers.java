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

    private final CircuitBreakerRegistry bySession;

    /** @param closed called each time when one closes: the cluster is back */
    CircuitBreakers(CircuitBreakerProperties properties, Runnable closed) {
        bySession = CircuitBreakerRegistry.of(CircuitBreakerConfig.custom()
                .failureRateThreshold(50)
                .slidingWindowSize(50)
                .minimumNumberOfCalls(20)
                .waitDurationInOpenState(properties.openFor())
                .permittedNumberOfCallsInHalfOpenState(3)
                // A call that never ends would keep it half-open for ever. Rare calls need time to close it.
                .maxWaitDurationInHalfOpenState(properties.openFor().multipliedBy(10))
                .build());
        watch(made -> made.getEventPublisher().onStateTransition(event -> {
            StateTransition change = event.getStateTransition();
            if (change.getToState() == State.CLOSED) {
                log.info(
                        "The circuit breaker of Cassandra writes of {} is closed: writes are sent again",
                        made.getName());
                closed.run();
            } else if (change.getFromState() == State.CLOSED) {
                // One that tries every few seconds whether the cluster is back stays open for whoever reads the log.
                log.warn(
                        "The circuit breaker of Cassandra writes of {} is {}",
                        made.getName(),
                        Observed.lowerCase(change.getToState()));
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
        public void answered() {
            // How long it took says nothing of the cluster: a method of a bean has work of its own.
            breaker.onSuccess(0, TimeUnit.NANOSECONDS);
        }

        @Override
        public void unavailable(Throwable failure) {
            breaker.onError(0, TimeUnit.NANOSECONDS, failure);
        }

        @Override
        public void nothingLearnt() {
            breaker.releasePermission();
        }
    }
}
