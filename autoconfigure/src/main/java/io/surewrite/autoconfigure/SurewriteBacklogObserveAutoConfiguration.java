package io.surewrite.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.observe.BacklogEndpoint;
import io.surewrite.observe.BacklogHealthIndicator;
import io.surewrite.observe.BacklogMetrics;
import io.surewrite.observe.MicrometerBacklogListener;
import java.time.Clock;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Counts kept writes, tells how long they wait, and shows them. */
@AutoConfiguration(
        after = SurewriteBacklogAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnBean(WriteBacklog.class)
public final class SurewriteBacklogObserveAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static class Metrics {

        @Bean
        @ConditionalOnBean(MeterRegistry.class)
        @ConditionalOnMissingBean
        MicrometerBacklogListener surewriteMicrometerBacklogListener(MeterRegistry registry) {
            return new MicrometerBacklogListener(registry);
        }

        @Bean
        @ConditionalOnMissingBean
        BacklogMetrics surewriteBacklogMetrics(WriteBacklog backlog) {
            return new BacklogMetrics(backlog, Clock.systemUTC());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static class Health {

        @Bean
        @ConditionalOnEnabledHealthIndicator("backlog")
        @ConditionalOnMissingBean
        BacklogHealthIndicator backlogHealthIndicator(WriteBacklog backlog, BacklogProperties properties) {
            return new BacklogHealthIndicator(
                    backlog,
                    properties.health().degradedAfter(),
                    properties.health().downAfter(),
                    Clock.systemUTC());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    static class Actuator {

        @Bean
        @ConditionalOnAvailableEndpoint(endpoint = BacklogEndpoint.class)
        @ConditionalOnMissingBean
        BacklogEndpoint surewriteBacklogEndpoint(WriteBacklog backlog) {
            return new BacklogEndpoint(backlog);
        }
    }
}
