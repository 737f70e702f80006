package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.retry.Circuit;
import io.surewrite.schema.SurewriteSchema;
import io.surewrite.schema.TablesInUse;
import io.surewrite.unique.UniqueCatalog;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.UniqueGuard;
import io.surewrite.write.ConditionalWrites;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.cassandra.core.convert.CassandraConverter;

/** Shows what the features hold, and reports whether they work. What they do they observe and log by themselves. */
@OnStart(OnStart.Mode.REFUSE)
@AutoConfiguration(
        after = {
            SurewriteBacklogAutoConfiguration.class,
            SurewriteCqlAutoConfiguration.class,
            SurewriteLeaseAutoConfiguration.class,
            SurewriteSchemaAutoConfiguration.class,
            SurewriteUniqueAutoConfiguration.class
        },
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass({CqlSession.class, CassandraConverter.class})
public final class SurewriteActuateAutoConfiguration {

    /** What this application holds, of all sessions. */
    private static List<Lease> held(SessionSets sessions) {
        return sessions.made(LeaseLocks.class).stream()
                .flatMap(locks -> locks.held().stream())
                .toList();
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static class Metrics {

        /** Shows what is known only when something is there: clocks, circuit breakers. */
        @Bean
        @ConditionalOnBean(MeterRegistry.class)
        SmartInitializingSingleton surewriteMeters(
                MeterRegistry registry, ObjectProvider<ClockGuards> clocks, ObjectProvider<Circuit> circuits) {
            return () -> {
                SurewriteMeters meters = new SurewriteMeters(registry);
                clocks.ifAvailable(all -> all.show(meters::measured));
                circuits.ifAvailable(any -> {
                    if (any instanceof CircuitBreakers breakers) {
                        breakers.show(meters);
                    }
                });
            };
        }

        @Bean
        @ConditionalOnBean(LeaseLocks.class)
        MeterBinder surewriteLeasesHeld(SessionSets sessions) {
            return SurewriteMeters.leasesHeld(() -> held(sessions).size());
        }

        @Bean
        @ConditionalOnBean(WriteBacklog.class)
        MeterBinder surewriteBacklogMetrics(WriteBacklog backlog) {
            return SurewriteMeters.backlog(backlog, Clock.systemUTC());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static class Health {

        @Bean
        @ConditionalOnBean(WriteBacklog.class)
        @ConditionalOnEnabledHealthIndicator("backlog")
        @ConditionalOnMissingBean(name = "backlogHealthIndicator")
        BacklogHealthIndicator backlogHealthIndicator(WriteBacklog backlog, BacklogProperties properties) {
            return new BacklogHealthIndicator(backlog, properties.downAfter(), Clock.systemUTC());
        }

        @Bean
        @ConditionalOnBean(CqlSession.class)
        @ConditionalOnBooleanProperty(name = ClockProperties.PREFIX + ".enabled", matchIfMissing = true)
        @ConditionalOnEnabledHealthIndicator("clock")
        @ConditionalOnMissingBean(name = "clockHealthIndicator")
        ClockHealthIndicator clockHealthIndicator(ClockGuards guards) {
            return new ClockHealthIndicator(guards::reports);
        }

        @Bean
        @ConditionalOnBean(LeaseLocks.class)
        @ConditionalOnEnabledHealthIndicator("leases")
        @ConditionalOnMissingBean(name = "leasesHealthIndicator")
        RecentFailure<LeaseLocks> leasesHealthIndicator(SessionSets sessions) {
            return RecentFailure.ofLeases(() -> sessions.made(LeaseLocks.class));
        }

        @Bean
        @ConditionalOnBean({ConditionalWrites.class, TablesInUse.class})
        @ConditionalOnEnabledHealthIndicator("sure-tables")
        @ConditionalOnMissingBean(name = "sureTablesHealthIndicator")
        SureTablesHealthIndicator sureTablesHealthIndicator(TablesInUse tables) {
            return new SureTablesHealthIndicator(tables);
        }

        @Bean
        @ConditionalOnBean(UniqueCatalog.class)
        @ConditionalOnEnabledHealthIndicator("unique-values")
        @ConditionalOnMissingBean(name = "uniqueValuesHealthIndicator")
        RecentFailure<UniqueGuard> uniqueValuesHealthIndicator(SessionSets sessions) {
            return RecentFailure.ofUniqueValues(() -> sessions.made(UniqueGuard.class));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    static class Endpoints {

        @Bean
        @ConditionalOnBean(WriteBacklog.class)
        @ConditionalOnAvailableEndpoint(endpoint = BacklogEndpoint.class)
        BacklogEndpoint surewriteBacklogEndpoint(WriteBacklog backlog) {
            return new BacklogEndpoint(backlog);
        }

        @Bean
        @ConditionalOnBean(LeaseLocks.class)
        @ConditionalOnAvailableEndpoint(endpoint = LeasesEndpoint.class)
        LeasesEndpoint surewriteLeasesEndpoint(SessionSets sessions, ObjectProvider<LeaseLocks> locks) {
            return new LeasesEndpoint(
                    () -> held(sessions), name -> locks.getObject().inspect(name));
        }

        @Bean
        @ConditionalOnBean(UniqueCatalog.class)
        @ConditionalOnAvailableEndpoint(endpoint = UniqueConstraintsEndpoint.class)
        UniqueConstraintsEndpoint surewriteUniqueConstraintsEndpoint(
                UniqueCatalog catalog, ObjectProvider<UniqueConstraints> constraints, SurewriteSchema schema) {
            return new UniqueConstraintsEndpoint(
                    catalog,
                    // Where nobody has repaired anything, its table need not be there.
                    name -> schema.exists("unique_repair")
                            ? constraints.getObject().lastRepair(name)
                            : Optional.empty());
        }
    }
}
