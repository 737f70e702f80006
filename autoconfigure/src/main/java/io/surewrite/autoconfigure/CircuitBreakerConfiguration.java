package io.surewrite.autoconfigure;

import io.surewrite.cql.WriteListener;
import io.surewrite.retry.Circuit;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/** The circuit breaker, if it is asked for. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(prefix = "surewrite.retry.circuit-breaker", name = "enabled")
@EnableConfigurationProperties(CircuitBreakerProperties.class)
class CircuitBreakerConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Circuit surewriteCircuit(
            CircuitBreakerProperties properties, ObjectProvider<WriteListener> listeners, ResourceLoader resources) {
        if (!ClassUtils.isPresent("io.github.resilience4j.circuitbreaker.CircuitBreaker", resources.getClassLoader())) {
            throw new InvalidConfigurationPropertyValueException(
                    "surewrite.retry.circuit-breaker.enabled",
                    true,
                    "The circuit breaker needs a library that is not there. Add the dependency"
                            + " io.github.resilience4j:resilience4j-circuitbreaker, or define a bean of type "
                            + Circuit.class.getName() + ".");
        }
        return new CircuitBreakers(
                properties, WriteListener.all(listeners.orderedStream().toList()));
    }
}
