package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.internal.lwt.SettlingConditionalWrites;
import io.surewrite.internal.session.StatementGuards;
import io.surewrite.internal.session.TemplateScope;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.WriteTimestamps;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.PriorityOrdered;
import org.springframework.data.cassandra.core.cql.CqlOperations;

/** Conditional writes, write timestamps, and the write scope in all templates. */
@OnStart(OnStart.Mode.REFUSE)
@AutoConfiguration(after = CassandraAutoConfiguration.class)
@ConditionalOnClass({CqlSession.class, CqlOperations.class})
@ConditionalOnBean(CqlSession.class)
@EnableConfigurationProperties(ConditionalWriteProperties.class)
@Import({LateObservations.class, SurewriteCqlAutoConfiguration.TemplateScopes.class})
public final class SurewriteCqlAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    WriteTimestamps surewriteWriteTimestamps(CqlSession session) {
        return WriteTimestamps.of(session);
    }

    @Bean(SessionSets.NAME)
    SessionSets surewriteSessions(ConfigurableListableBeanFactory beans, ApplicationContext context) {
        return new SessionSets(beans, context);
    }

    @Bean
    @ConditionalOnMissingBean
    ConditionalWrites surewriteConditionalWrites(SessionSets sessions) {
        return sessions.ofPrimary(ConditionalWrites.class, SurewriteCqlAutoConfiguration::writes);
    }

    static SettlingConditionalWrites writes(SessionSets.Shared on) {
        return SettlingConditionalWrites.on(on.session(), on.observations());
    }

    @Bean
    StatementGuards surewriteStatementGuards(TemplateScopes templates) {
        return templates.guards;
    }

    /** Brings every template of the application into the write scope, whatever has made it. */
    static final class TemplateScopes implements BeanPostProcessor, PriorityOrdered {

        private final StatementGuards guards = new StatementGuards();

        /** Among the first, so that templates that are made early meet it. */
        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE + 100;
        }

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            TemplateScope.enter(bean, guards);
            return bean;
        }
    }
}
