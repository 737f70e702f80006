package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.autoconfigure.RetryProperties.CircuitBreakerProperties;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.internal.clock.WakefulClock;
import io.surewrite.internal.lwt.SettledStatements;
import io.surewrite.internal.session.SessionDecorator;
import io.surewrite.internal.session.StatementGuards;
import io.surewrite.internal.session.SureLevel;
import io.surewrite.repository.ConditionalRepositoryAdvice;
import io.surewrite.repository.IdempotentPlans;
import io.surewrite.repository.Refusals;
import io.surewrite.repository.RepositoryMethodAdvice;
import io.surewrite.retry.Circuit;
import io.surewrite.retry.ClientSideIds;
import io.surewrite.retry.ScopedRetryTemplate;
import io.surewrite.retry.ScopedRetryTemplate.RetrySupport;
import io.surewrite.retry.WriteRetryTemplate;
import io.surewrite.schema.TablesInUse;
import io.surewrite.write.WriteTimestamps;
import java.util.Random;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.ResourceLoader;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;

/** Retry of idempotent writes: the templates, and the annotation on repositories and beans. */
@OnStart(OnStart.Mode.REFUSE)
@AutoConfiguration(after = {SurewriteCqlAutoConfiguration.class, DataCassandraAutoConfiguration.class})
@ConditionalOnBean({CqlSession.class, WriteTimestamps.class, CassandraMappingContext.class})
@ConditionalOnProperty(prefix = RetryProperties.PREFIX, name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(RetryProperties.class)
@Import({Refusals.class, ScopeCheck.class})
public final class SurewriteRetryAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    RetrySupport surewriteRetrySupport(
            CqlSession session,
            SessionSets sessions,
            WriteTimestamps timestamps,
            ObjectProvider<Circuit> circuit,
            LateObservations observations) {
        return new RetrySupport(
                timestamps,
                circuit.getIfAvailable(() -> Circuit.NONE).ofSession(sessions.nameOf(session)),
                observations.registry(),
                new Random(),
                WakefulClock.ofSystem()::nanos,
                SessionDecorator.isReal(session) ? SureLevel.of(session) : null);
    }

    @Bean
    @ConditionalOnMissingBean(name = "cassandraRetryTemplate")
    WriteRetryTemplate cassandraRetryTemplate(RetryProperties properties, RetrySupport support) {
        return ScopedRetryTemplate.forIdempotentWrites(properties.settings(), support);
    }

    /** Of any mapping context: each reads the same of an entity's class. */
    @Bean
    ClientSideIds surewriteClientSideIds(ObjectProvider<CassandraMappingContext> mappings) {
        return new ClientSideIds(mappings.orderedStream().findFirst().orElseThrow());
    }

    @Bean
    RepositoryMethodAdvice surewriteRepositoryRetry(
            ConfigurableBeanFactory beans,
            ClientSideIds ids,
            ScopeCheck scopeCheck,
            ObjectProvider<TablesInUse> tables) {
        return RepositoryMethodAdvice.retry(
                beans, ids, scopeCheck::retryIsUsed, tables.getIfAvailable(() -> new TablesInUse(any -> true)));
    }

    @Bean
    RepositoryMethodAdvice surewriteConditionalRepositories(
            StatementGuards guards, SessionSets sessions, ClientSideIds ids) {
        return new ConditionalRepositoryAdvice(
                guards,
                own -> (SettledStatements) guards.settlerOf(own.session().getContext(), added -> {
                    SessionSets.Shared on = sessions.shared(own.session());
                    return new SettledStatements(
                            on.session(), SurewriteCqlAutoConfiguration.writes(on), ids::isMadeFor);
                }));
    }

    @Bean
    static AbstractBeanFactoryAwareAdvisingPostProcessor surewriteBeanRetry(
            ObjectProvider<ScopeCheck> scopeCheck, Refusals surewriteRefusals) {
        return new IdempotentPlans.OfBeans(method -> scopeCheck.getObject().retryIsUsed(method), surewriteRefusals);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(prefix = "surewrite.retry.circuit-breaker", name = "enabled")
    @EnableConfigurationProperties(CircuitBreakerProperties.class)
    static class Breaker {

        @Bean
        @ConditionalOnMissingBean
        Circuit surewriteCircuit(
                CircuitBreakerProperties properties, ObjectProvider<WriteBacklog> backlog, ResourceLoader resources) {
            PropertyCheck.require(
                    ClassUtils.isPresent(
                            "io.github.resilience4j.circuitbreaker.CircuitBreaker", resources.getClassLoader()),
                    "surewrite.retry.circuit-breaker.enabled",
                    true,
                    "The circuit breaker needs a library that is not there. Add the dependency"
                            + " io.github.resilience4j:resilience4j-circuitbreaker, or define a bean of type "
                            + Circuit.class.getName() + ".");
            // The cluster is back. Looked up then, as the breaker is made before the backlog.
            return new CircuitBreakers(properties, () -> backlog.ifAvailable(WriteBacklog::replay));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Flux.class)
    static class Reactive {

        /** By a method: a template that is made early takes it along, before constructors are injected. */
        @Bean
        ClientSideIds.Reactive surewriteReactiveClientSideIds(ClientSideIds ids) {
            return new ClientSideIds.Reactive(ids);
        }
    }
}
