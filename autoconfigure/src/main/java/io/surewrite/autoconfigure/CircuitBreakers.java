package io.surewrite.autoconfigure;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.surewrite.autoconfigure.CircuitBreakerProperties.Per;
import io.surewrite.cql.WriteListener;
import io.surewrite.retry.Circuit;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The circuit breakers of the application, made when they are first asked for; loaded only where Resilience4j is. */
final class CircuitBreakers implements Circuit {

    private static final String ALL = "application";

    private static final int HALF_OPEN_ATTEMPTS = 3;

    private final Per per;
    private final CircuitBreakerConfig config;
    private final WriteListener listener;
    private final Map<String, Circuit> byName = new ConcurrentHashMap<>();

    CircuitBreakers(CircuitBreakerProperties properties, WriteListener listener) {
        this.per = properties.per();
        this.config = CircuitBreakerConfig.custom()
                .failureRateThreshold(properties.failureRate())
                .slidingWindowSize(properties.window())
                .minimumNumberOfCalls(Math.max(1, properties.window() * 2 / 5))
                .waitDurationInOpenState(properties.openFor())
                .permittedNumberOfCallsInHalfOpenState(HALF_OPEN_ATTEMPTS)
                // A call that never ends would keep it half-open for ever. Rare calls need time to close it.
                .maxWaitDurationInHalfOpenState(properties.openFor().multipliedBy(10))
                .build();
        this.listener = listener;
    }

    @Override
    public Circuit ofSession(String session) {
        if (per == Per.SESSION) {
            named(session); // listeners hear of it before the first call
        }
        return per == Per.APPLICATION ? named(ALL) : new OfSession(this, session);
    }

    @Override
    public Circuit ofOperation(String operation) {
        return named(per == Per.OPERATION ? operation : ALL);
    }

    private Circuit named(String name) {
        Circuit known = byName.get(name);
        return known == null ? byName.computeIfAbsent(name, this::make) : known;
    }

    private Circuit make(String name) {
        Circuit made = new Breaker(CircuitBreaker.of(name, config), listener);
        listener.circuitMade(name);
        return made;
    }

    /** One of them. */
    static final class Breaker implements Circuit {

        private final CircuitBreaker breaker;
        private final Clock clock;

        /** Resilience4j does not tell it. */
        private volatile Instant openUntil = Instant.MIN;

        /**
         * @param breaker records failures; the retry decides which ones. It is closed, and always waits for the same time
         * @param listener hears of each change
         */
        Breaker(CircuitBreaker breaker, WriteListener listener) {
            CircuitBreakerConfig config = breaker.getCircuitBreakerConfig();
            this.breaker = breaker;
            this.clock = config.getClock();
            long wait = config.getWaitIntervalFunctionInOpenState().apply(1);
            breaker.getEventPublisher().onStateTransition(event -> {
                CircuitBreaker.State state = event.getStateTransition().getToState();
                openUntil = state == CircuitBreaker.State.OPEN ? clock.instant().plusMillis(wait) : Instant.MIN;
                listener.circuitChanged(breaker.getName(), state.name());
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

    /** Those of one session. */
    private record OfSession(CircuitBreakers all, String session) implements Circuit {

        @Override
        public Circuit ofSession(String other) {
            return all.ofSession(other);
        }

        @Override
        public Circuit ofOperation(String operation) {
            return all.named(all.per == Per.OPERATION ? session + "/" + operation : session);
        }
    }
}
