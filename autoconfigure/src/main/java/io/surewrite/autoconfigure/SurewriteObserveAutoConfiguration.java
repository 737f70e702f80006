package io.surewrite.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.observe.LoggingWriteListener;
import io.surewrite.observe.MicrometerWriteListener;
import io.surewrite.observe.ObservationWriteListener;
import io.surewrite.observe.SureTablesHealthIndicator;
import io.surewrite.schema.TablesInUse;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Logs, counts and observes logical writes. */
@AutoConfiguration(
        after = {SurewriteCqlAutoConfiguration.class, SurewriteSchemaAutoConfiguration.class},
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnBean(ConditionalWrites.class)
public final class SurewriteObserveAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LoggingWriteListener surewriteLoggingWriteListener() {
        return new LoggingWriteListener();
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static class Metrics {

        @Bean
        @ConditionalOnBean(MeterRegistry.class)
        @ConditionalOnMissingBean
        MicrometerWriteListener surewriteMicrometerWriteListener(MeterRegistry registry) {
            return new MicrometerWriteListener(registry);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static class Health {

        @Bean
        @ConditionalOnBean(TablesInUse.class)
        @ConditionalOnEnabledHealthIndicator("sure-tables")
        @ConditionalOnMissingBean
        SureTablesHealthIndicator sureTablesHealthIndicator(TablesInUse tables) {
            return new SureTablesHealthIndicator(tables);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObservationRegistry.class)
    static class Observations {

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE) // around the others, so that their log lines belong to the span
        @ConditionalOnBean(ObservationRegistry.class)
        @ConditionalOnMissingBean
        ObservationWriteListener surewriteObservationWriteListener(ObservationRegistry registry) {
            return new ObservationWriteListener(registry);
        }
    }
}
