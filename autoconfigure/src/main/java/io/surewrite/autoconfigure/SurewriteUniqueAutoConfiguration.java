package io.surewrite.autoconfigure;

import io.surewrite.internal.session.StatementGuards;
import io.surewrite.repository.RepositoryMethodAdvice;
import io.surewrite.repository.SteadyValues;
import io.surewrite.schema.SurewriteSchema;
import io.surewrite.schema.TablesInUse;
import io.surewrite.unique.ClaimingGuard;
import io.surewrite.unique.UniqueBy;
import io.surewrite.unique.UniqueCatalog;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.UniqueFinder;
import io.surewrite.unique.UniqueGuard;
import io.surewrite.unique.UniqueSettings;
import io.surewrite.write.ConditionalWrites;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;
import reactor.core.publisher.Flux;

/** Unique values: the guard, and the annotation on repositories. */
@OnStart(OnStart.Mode.REFUSE)
@AutoConfiguration(
        after = {
            SurewriteCqlAutoConfiguration.class,
            SurewriteSchemaAutoConfiguration.class,
            DataCassandraAutoConfiguration.class
        })
@ConditionalOnBean({ConditionalWrites.class, SurewriteSchema.class})
@ConditionalOnBooleanProperty(name = UniqueProperties.PREFIX + ".enabled", matchIfMissing = true)
@EnableConfigurationProperties(UniqueProperties.class)
@Import(UniqueCatalog.class)
public final class SurewriteUniqueAutoConfiguration {

    /** Made when it is first asked for, with its tables: an application without unique values needs none. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    UniqueGuard surewriteUniqueGuard(SessionSets sessions) {
        return sessions.ofPrimary(UniqueGuard.class, SurewriteUniqueAutoConfiguration::guard);
    }

    static ClaimingGuard guard(SessionSets.Shared on) {
        UniqueSettings settings = on.bean(UniqueProperties.class).settings(on.clockMargin(), on.attemptTimeout());
        if (on.isOnlyLookedAt()) { // it is never called
            ConditionalWrites none = StandIn.of(ConditionalWrites.class);
            return ClaimingGuard.on(on.session(), none, "claim", "value", settings, on.observations());
        }
        on.requireSureWrites("Unique values");
        String claims = on.schema().table("claim");
        ClaimingGuard.requireOneSerialConsistency(on.session(), on.writes(), claims, settings.attemptTimeout());
        return ClaimingGuard.on(
                on.session(), on.writes(), claims, on.schema().table("value"), settings, on.observations());
    }

    /** Made when it is first asked for, with a table of its own. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    UniqueConstraints surewriteUniqueConstraints(SessionSets sessions) {
        return sessions.ofPrimary(UniqueConstraints.class, SurewriteUniqueAutoConfiguration::constraints);
    }

    static UniqueConstraints constraints(SessionSets.Shared on) {
        UniqueProperties properties = on.bean(UniqueProperties.class);
        SurewriteSchema schema = on.schema();
        return on.catalog()
                .constraints(
                        on.session(),
                        on.writes(),
                        schema.table("claim"),
                        schema.table("unique_repair"),
                        properties.settings(on.clockMargin(), on.attemptTimeout()),
                        properties.scans());
    }

    /** Repairs what {@code surewrite.unique.repair} names, and goes on where an earlier start was ended. */
    @Bean
    @ConditionalOnProperty(name = UniqueProperties.PREFIX + ".repair")
    ApplicationRunner surewriteUniqueRepair(
            UniqueCatalog catalog, ObjectProvider<UniqueConstraints> constraints, UniqueProperties properties) {
        return arguments -> {
            properties.repair().forEach(name -> requireKnown(name, catalog)); // before one of them is repaired
            properties.repair().forEach(name -> constraints.getObject().repair(name));
        };
    }

    private static void requireKnown(String name, UniqueCatalog catalog) {
        try {
            var unused = catalog.require(name);
        } catch (IllegalArgumentException unknown) {
            throw new InvalidConfigurationPropertyValueException(
                    UniqueProperties.PREFIX + ".repair", name, String.valueOf(unknown.getMessage()));
        }
    }

    @Bean
    @ConditionalOnMissingBean
    UniqueFinder surewriteUniqueFinder(UniqueCatalog catalog, SessionSets sessions) {
        return catalog.finder(() -> sessions.ofPrimary().guard());
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean({CassandraConverter.class, CassandraMappingContext.class})
    static class Repositories {

        private static final Logger log = LoggerFactory.getLogger(UniqueBy.class);

        @Bean
        @Lazy
        RepositoryMethodAdvice surewriteRepositoryUnique(
                UniqueProperties properties,
                TablesInUse tables,
                StatementGuards guards,
                SteadyValues steady,
                ApplicationContext context) {
            return RepositoryMethodAdvice.unique(context, properties.scans(), tables, guards, steady);
        }

        @Bean
        SteadyValues surewriteSteadyValues() {
            return new SteadyValues();
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(Flux.class)
        static class Reactive {

            /** By a method: a template that is made early takes it along, before constructors are injected. */
            @Bean
            SteadyValues.Reactive surewriteReactiveSteadyValues(SteadyValues values) {
                return new SteadyValues.Reactive(values);
            }
        }

        /** Makes what is lazy: a template would write past constraints that nobody has read. What cannot be made says so when it is used. */
        @Bean
        ApplicationListener<ContextRefreshedEvent> surewriteUniqueTables(ListableBeanFactory beans) {
            return refreshed -> {
                for (String repository : beans.getBeanNamesForAnnotation(UniqueBy.class)) {
                    try {
                        var unused = beans.getBean(repository).hashCode(); // through the proxy of one that is lazy
                    } catch (BeansException refused) {
                        log.warn(
                                "{} is not there, so templates write past its unique constraints", repository, refused);
                    }
                }
            };
        }
    }
}
