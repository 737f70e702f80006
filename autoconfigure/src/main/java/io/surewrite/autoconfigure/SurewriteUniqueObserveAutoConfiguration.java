package io.surewrite.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.surewrite.observe.MicrometerUniqueListener;
import io.surewrite.observe.UniqueConstraintsEndpoint;
import io.surewrite.unique.UniqueCatalog;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Counts what happens to unique values, and shows their constraints. */
@AutoConfiguration(
        after = SurewriteUniqueAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
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
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    static class Actuator {

        @Bean
        @ConditionalOnAvailableEndpoint(endpoint = UniqueConstraintsEndpoint.class)
        @ConditionalOnMissingBean
        UniqueConstraintsEndpoint surewriteUniqueConstraintsEndpoint(UniqueCatalog catalog) {
            return new UniqueConstraintsEndpoint(catalog);
        }
    }
}
