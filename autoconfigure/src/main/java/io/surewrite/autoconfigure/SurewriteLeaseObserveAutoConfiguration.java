package io.surewrite.autoconfigure;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.observe.LeaseHealthIndicator;
import io.surewrite.observe.LeasesEndpoint;
import io.surewrite.observe.MicrometerLeaseListener;
import io.surewrite.observe.ObservationLeaseListener;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
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

/** Counts leases, tells whether they work, and shows them. */
@AutoConfiguration(
        after = SurewriteLeaseAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnBean(LeaseLocks.class)
public final class SurewriteLeaseObserveAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static class Metrics {

        @Bean
        @ConditionalOnBean(MeterRegistry.class)
        @ConditionalOnMissingBean
        MicrometerLeaseListener surewriteMicrometerLeaseListener(MeterRegistry registry) {
            return new MicrometerLeaseListener(registry);
        }

        @Bean
        MeterBinder surewriteLeasesHeld(ConfigurableListableBeanFactory beans) {
            LeasesInUse leases = new LeasesInUse(beans);
            return registry -> Gauge.builder(
                            "surewrite.lease.held", leases, all -> all.held().size())
                    .description("Leases that this process holds")
                    .register(registry);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObservationRegistry.class)
    static class Observations {

        @Bean
        @ConditionalOnBean(ObservationRegistry.class)
        @ConditionalOnMissingBean
        ObservationLeaseListener surewriteObservationLeaseListener(ObservationRegistry registry) {
            return new ObservationLeaseListener(registry);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static class Health {

        @Bean
        @ConditionalOnEnabledHealthIndicator("leases")
        @ConditionalOnMissingBean
        LeaseHealthIndicator leasesHealthIndicator() {
            return new LeaseHealthIndicator(Clock.systemUTC());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    static class Actuator {

        @Bean
        @ConditionalOnAvailableEndpoint(endpoint = LeasesEndpoint.class)
        @ConditionalOnMissingBean
        LeasesEndpoint surewriteLeasesEndpoint(
                ConfigurableListableBeanFactory beans, ObjectProvider<LeaseLocks> locks) {
            return new LeasesEndpoint(
                    new LeasesInUse(beans)::held, name -> locks.getObject().inspect(name));
        }
    }
}
