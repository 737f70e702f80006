package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.micrometer.core.instrument.MeterRegistry;
import io.surewrite.cql.WriteTimestamps;
import io.surewrite.observe.OverwriteMetrics;
import io.surewrite.observe.TombstoneMetrics;
import io.surewrite.overwrite.OverwriteFactory;
import io.surewrite.overwrite.OverwriteListener;
import io.surewrite.overwrite.ReactiveRowOverwrites;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.repository.OverwritingRepositories;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraAutoConfiguration;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraReactiveAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.ReactiveCassandraOperations;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import reactor.core.publisher.Flux;

/** Overwrites of whole rows, blocking and reactive. */
@AutoConfiguration(
        after = {DataCassandraAutoConfiguration.class, DataCassandraReactiveAutoConfiguration.class},
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(CassandraOperations.class)
@ConditionalOnBean({CqlSession.class, CassandraConverter.class})
@EnableConfigurationProperties(OverwriteProperties.class)
public final class SurewriteOverwriteAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    OverwriteFactory surewriteOverwriteFactory(
            CqlSession session,
            CassandraConverter converter,
            OverwriteProperties properties,
            ObjectProvider<WriteTimestamps> timestamps,
            ObjectProvider<OverwriteListener> listeners,
            ApplicationContext context) {
        return new OverwriteFactory(
                session,
                converter,
                properties.settings(),
                timestamps.getIfAvailable(() -> WriteTimestamps.of(session)),
                OverwriteListener.all(listeners.orderedStream().toList()),
                context);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(CassandraOperations.class)
    RowOverwrites rowOverwrites(OverwriteFactory factory, CassandraOperations operations) {
        return factory.rowOverwrites(operations);
    }

    @Bean
    static OverwritingRepositories surewriteOverwritingRepositories(BeanFactory beans, Environment environment) {
        return new OverwritingRepositories(
                beans, () -> environment.getProperty("surewrite.overwrite.on-save", Boolean.class, false));
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Flux.class)
    @ConditionalOnBean(ReactiveCassandraOperations.class)
    static class Reactive {

        @Bean
        @ConditionalOnMissingBean
        ReactiveRowOverwrites reactiveRowOverwrites(OverwriteFactory factory, ReactiveCassandraOperations operations) {
            return factory.reactiveRowOverwrites(operations);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBean(MeterRegistry.class)
    static class Metrics {

        @Bean
        @ConditionalOnMissingBean
        OverwriteMetrics surewriteOverwriteMetrics(MeterRegistry registry) {
            return new OverwriteMetrics(registry);
        }

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnBooleanProperty(name = "surewrite.overwrite.tombstone-metrics", matchIfMissing = true)
        TombstoneMetrics surewriteTombstoneMetrics(CqlSession session, MeterRegistry registry) {
            return new TombstoneMetrics(session, registry);
        }
    }
}
