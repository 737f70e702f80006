package io.surewrite.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.observe.MicrometerUniqueListener;
import io.surewrite.observe.ObservationUniqueListener;
import io.surewrite.observe.UniqueConstraintsEndpoint;
import io.surewrite.observe.UniqueHealthIndicator;
import io.surewrite.schema.SurewriteSchema;
import io.surewrite.unique.UniqueCatalog;
import io.surewrite.unique.UniqueConstraints;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
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

/** Counts what happens to unique values, tells whether they can be written, and shows their constraints. */
@AutoConfiguration(
        after = SurewriteUniqueAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnBean(UniqueCatalog.class)
public final class SurewriteUniqueObserveAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static class Metrics {

        @Bean
        @ConditionalOnBean(MeterRegistry.class)
        @ConditionalOnMissingBean
        MicrometerUniqueListener surewriteMicrometerUniqueListener(MeterRegistry registry) {
            return new MicrometerUniqueListener(registry);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObservationRegistry.class)
    static class Observations {

        @Bean
        @ConditionalOnBean(ObservationRegistry.class)
        @ConditionalOnMissingBean
        ObservationUniqueListener surewriteObservationUniqueListener(ObservationRegistry registry) {
            return new ObservationUniqueListener(registry);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static class Health {

        @Bean
        @ConditionalOnEnabledHealthIndicator("unique-values")
        @ConditionalOnMissingBean
        UniqueHealthIndicator uniqueValuesHealthIndicator() {
            return new UniqueHealthIndicator(Clock.systemUTC());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    static class Actuator {

        @Bean
        @ConditionalOnAvailableEndpoint(endpoint = UniqueConstraintsEndpoint.class)
        @ConditionalOnMissingBean
        UniqueConstraintsEndpoint surewriteUniqueConstraintsEndpoint(
                UniqueCatalog catalog, ObjectProvider<UniqueConstraints> constraints, SurewriteSchema schema) {
            return new UniqueConstraintsEndpoint(
                    catalog,
                    constraints::getObject,
                    () -> schema.exists("unique_build") && schema.exists("unique_duplicate"));
        }
    }
}
