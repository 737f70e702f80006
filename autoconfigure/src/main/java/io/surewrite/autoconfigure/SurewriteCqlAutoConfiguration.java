package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.WriteListener;
import io.surewrite.cql.WriteTimestamps;
import io.surewrite.cql.session.ScopedAsyncCqlTemplate;
import io.surewrite.cql.session.ScopedCqlTemplate;
import io.surewrite.cql.session.ScopedReactiveSession;
import io.surewrite.cql.settle.ConditionalProfile;
import io.surewrite.cql.settle.SettlingConditionalWrites;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraAutoConfiguration;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraReactiveAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.cassandra.ReactiveSession;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.cql.AsyncCqlOperations;
import org.springframework.data.cassandra.core.cql.CqlOperations;
import org.springframework.data.cassandra.core.cql.session.DefaultBridgedReactiveSession;
import reactor.core.publisher.Flux;

/** Conditional writes, write timestamps, and templates that apply the write scope in the place of Boot's own. */
@AutoConfiguration(
        after = CassandraAutoConfiguration.class,
        before = {DataCassandraAutoConfiguration.class, DataCassandraReactiveAutoConfiguration.class})
@ConditionalOnClass({CqlSession.class, CqlOperations.class})
@ConditionalOnBean(CqlSession.class)
public final class SurewriteCqlAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    WriteTimestamps surewriteWriteTimestamps(CqlSession session) {
        return WriteTimestamps.of(session);
    }

    /** What conditional writes need of a session that was not built by the builder that Boot offers. */
    @Bean
    @ConditionalOnMissingBean
    ConditionalProfile surewriteConditionalProfile(ObjectProvider<ConditionalWriteProperties> properties) {
        ConditionalWriteProperties configured = properties.getIfAvailable();
        return configured == null ? ConditionalProfile.DEFAULT : configured.profile();
    }

    @Bean(SessionSets.NAME)
    SessionSets surewriteSessions(ConfigurableListableBeanFactory beans, ApplicationContext context) {
        return new SessionSets(beans, context);
    }

    @Bean
    static TemplateScopes surewriteTemplateScopes() {
        return new TemplateScopes();
    }

    @Bean
    SettlementScheduler surewriteSettlementScheduler() {
        return new SettlementScheduler();
    }

    @Bean
    @ConditionalOnMissingBean
    ConditionalWrites surewriteConditionalWrites(
            CqlSession session,
            ConditionalProfile profile,
            SettlementScheduler scheduler,
            ObjectProvider<WriteListener> listeners) {
        return SettlingConditionalWrites.on(
                profile.on(session),
                scheduler.executor(),
                WriteListener.all(listeners.orderedStream().toList()));
    }

    @Bean
    @ConditionalOnMissingBean(CqlOperations.class)
    ScopedCqlTemplate cqlTemplate(SessionFactory sessionFactory) {
        return new ScopedCqlTemplate(sessionFactory);
    }

    @Bean
    @ConditionalOnMissingBean(AsyncCqlOperations.class)
    ScopedAsyncCqlTemplate asyncCqlTemplate(SessionFactory sessionFactory) {
        return new ScopedAsyncCqlTemplate(sessionFactory);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Flux.class)
    static class Reactive {

        @Bean
        @ConditionalOnMissingBean
        ReactiveSession reactiveCassandraSession(CqlSession session) {
            return new ScopedReactiveSession(new DefaultBridgedReactiveSession(session));
        }
    }
}
