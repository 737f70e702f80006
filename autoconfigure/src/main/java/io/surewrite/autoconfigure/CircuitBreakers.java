package io.surewrite.autoconfigure;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.surewrite.autoconfigure.CircuitBreakerProperties.Per;
import io.surewrite.cql.WriteListener;
import io.surewrite.retry.Circuit;
import io.surewrite.retry.engine.ResilienceCircuit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The circuit breakers of the application, made when they are first asked for; loaded only where Resilience4j is. */
final class CircuitBreakers implements Circuit {

    private static final String ALL = "application";

    private final Per per;
    private final CircuitBreakerConfig config;
    private final WriteListener listener;
    private final Map<String, Circuit> byName = new ConcurrentHashMap<>();

    CircuitBreakers(CircuitBreakerProperties properties, WriteListener listener) {
        this.per = properties.per();
        this.config = CircuitBreakerConfig.custom()
                .failureRateThreshold(properties.failureRate())
                .slidingWindowSize(properties.window())
                .minimumNumberOfCalls(properties.minimumAttempts())
                .waitDurationInOpenState(properties.openFor())
                .permittedNumberOfCallsInHalfOpenState(properties.halfOpenAttempts())
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
        return per == Per.APPLICATION ? named(ALL) : new OfSession(session);
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
        CircuitBreaker breaker = CircuitBreaker.of(name, config);
        breaker.getEventPublisher()
                .onStateTransition(event -> listener.circuitChanged(
                        name, event.getStateTransition().getToState().name()));
        listener.circuitMade(name);
        return new ResilienceCircuit(breaker);
    }

    /** Those of one session. */
    private final class OfSession implements Circuit {

        private final String session;

        private OfSession(String session) {
            this.session = session;
        }

        @Override
        public Circuit ofSession(String other) {
            return CircuitBreakers.this.ofSession(other);
        }

        @Override
        public Circuit ofOperation(String operation) {
            return named(per == Per.OPERATION ? session + "/" + operation : session);
        }
    }
}
