package io.surewrite.autoconfigure;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.surewrite.cql.WriteListener;
import io.surewrite.retry.Circuit;
import io.surewrite.retry.ResilienceCircuit;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The circuit breaker, if it is asked for. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(prefix = "surewrite.retry.circuit-breaker", name = "enabled")
@EnableConfigurationProperties(CircuitBreakerProperties.class)
class CircuitBreakerConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Circuit surewriteCircuit(CircuitBreakerProperties properties, ObjectProvider<WriteListener> listeners) {
        CircuitBreaker breaker = CircuitBreaker.of(
                "surewrite",
                CircuitBreakerConfig.custom()
                        .failureRateThreshold(properties.failureRate())
                        .slidingWindowSize(properties.window())
                        .minimumNumberOfCalls(properties.minimumAttempts())
                        .waitDurationInOpenState(properties.openFor())
                        .permittedNumberOfCallsInHalfOpenState(properties.halfOpenAttempts())
                        .build());
        WriteListener listener = WriteListener.all(listeners.orderedStream().toList());
        breaker.getEventPublisher()
                .onStateTransition(event -> listener.circuitChanged(
                        event.getStateTransition().getToState().name()));
        return new ResilienceCircuit(breaker);
    }
}
