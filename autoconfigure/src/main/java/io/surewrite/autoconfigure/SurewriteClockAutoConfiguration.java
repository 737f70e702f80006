package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.micrometer.core.instrument.MeterRegistry;
import io.surewrite.cql.ClockListener;
import io.surewrite.observe.ClockHealthIndicator;
import io.surewrite.observe.ClockMetrics;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Measures clocks, and tells when they are wrong. */
@AutoConfiguration(
        after = CassandraAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(CqlSession.class)
@EnableConfigurationProperties(ClockProperties.class)
public final class SurewriteClockAutoConfiguration {

    @Bean
    static ClockGuards surewriteClockGuards(
            ObjectProvider<ClockProperties> properties, ObjectProvider<ClockListener> listeners) {
        return new ClockGuards(properties, listeners);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static class Metrics {

        @Bean
        @ConditionalOnBean(MeterRegistry.class)
        @ConditionalOnMissingBean
        ClockMetrics surewriteClockMetrics(MeterRegistry registry) {
            return new ClockMetrics(registry);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    @ConditionalOnBean(CqlSession.class)
    @ConditionalOnBooleanProperty(name = ClockProperties.PREFIX + ".enabled", matchIfMissing = true)
    static class Health {

        @Bean
        @ConditionalOnEnabledHealthIndicator("clock")
        @ConditionalOnMissingBean
        ClockHealthIndicator clockHealthIndicator(ClockGuards guards) {
            return new ClockHealthIndicator(guards::reports);
        }
    }
}
