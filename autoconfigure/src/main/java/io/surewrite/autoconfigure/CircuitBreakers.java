package io.surewrite.autoconfigure;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.surewrite.autoconfigure.RetryProperties.CircuitBreakerProperties;
import io.surewrite.internal.observe.Observed;
import io.surewrite.retry.Circuit;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
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

    private final CircuitBreakerConfig config;
    private final Runnable closed;
    private final Map<String, Breaker> bySession = new ConcurrentHashMap<>();
    private final List<Consumer<Breaker>> watchers = new CopyOnWriteArrayList<>();

    /** @param closed called each time when one closes: the cluster is back */
    CircuitBreakers(CircuitBreakerProperties properties, Runnable closed) {
        this.config = CircuitBreakerConfig.custom()
                .failureRateThreshold(FAILURE_RATE)
                .slidingWindowSize(WINDOW)
                .minimumNumberOfCalls(MINIMUM)
                .waitDurationInOpenState(properties.openFor())
                .permittedNumberOfCallsInHalfOpenState(HALF_OPEN_ATTEMPTS)
                // A call that never ends would keep it half-open for ever. Rare calls need time to close it.
                .maxWaitDurationInHalfOpenState(properties.openFor().multipliedBy(10))
                .build();
        this.closed = closed;
    }

    /** Shows those that were made, and from now on each that is, perhaps twice. */
    void watch(Consumer<Breaker> watcher) {
        watchers.add(watcher);
        bySession.values().forEach(watcher);
    }

    @Override
    public Circuit ofSession(String session) {
        return bySession.computeIfAbsent(session, this::make);
    }

    private Breaker make(String session) {
        Breaker made = new Breaker(CircuitBreaker.of(session, config), closed) {
            @Override
            public Circuit ofSession(String other) {
                return CircuitBreakers.this.ofSession(other);
            }
        };
        watchers.forEach(watcher -> watcher.accept(made));
        return made;
    }

    static class Breaker implements Circuit {

        private final CircuitBreaker breaker;
        private final Clock clock;

        /** Resilience4j does not tell it. */
        private volatile Instant openUntil = Instant.MIN;

        Breaker(CircuitBreaker breaker, Runnable closed) {
            CircuitBreakerConfig config = breaker.getCircuitBreakerConfig();
            this.breaker = breaker;
            this.clock = config.getClock();
            long wait = config.getWaitIntervalFunctionInOpenState().apply(1);
            breaker.getEventPublisher().onStateTransition(event -> {
                CircuitBreaker.State state = event.getStateTransition().getToState();
                openUntil = state == CircuitBreaker.State.OPEN ? clock.instant().plusMillis(wait) : Instant.MIN;
                log(event.getStateTransition().getFromState(), state);
                if (state == CircuitBreaker.State.CLOSED) {
                    closed.run();
                }
            });
        }

        /** One that tries every few seconds whether the cluster is back stays open for whoever reads the log. */
        private void log(CircuitBreaker.State from, CircuitBreaker.State to) {
            String name = breaker.getName();
            if (to == CircuitBreaker.State.CLOSED) {
                log.info("The circuit breaker of Cassandra writes of {} is closed: writes are sent again", name);
            } else if (from == CircuitBreaker.State.CLOSED) {
                log.warn("The circuit breaker of Cassandra writes of {} is {}", name, Observed.lowerCase(to));
            } else {
                log.debug("The circuit breaker of Cassandra writes of {} is {}", name, Observed.lowerCase(to));
            }
        }

        String name() {
            return breaker.getName();
        }

        CircuitBreaker.State state() {
            return breaker.getState();
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
}
