package io.surewrite.test;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters, and observations that become meters, as Spring Boot has them. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({MetricsAutoConfiguration.class, ObservationAutoConfiguration.class})
public class ObservedMeters {

    @Bean
    SimpleMeterRegistry meters() {
        return new SimpleMeterRegistry();
    }
}
