package io.surewrite.autoconfigure;

import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseLocks.CloseableLeaseLocks;
import io.surewrite.lease.LeaseLocksFactory;
import io.surewrite.lease.LeaseSettings;
import io.surewrite.lease.adapter.LeaseLockProvider;
import io.surewrite.lease.adapter.LeaseLockRegistry;
import io.surewrite.repository.LeasedMethod;
import io.surewrite.repository.Refusals;
import io.surewrite.repository.RepositoryMethodAdvice;
import io.surewrite.write.ConditionalWrites;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * Leases: the locks, the annotation, and what other libraries call them. All are made when they are first asked for, and
 * only then is their table needed.
 */
@OnStart(OnStart.Mode.REFUSE)
@AutoConfiguration(after = {SurewriteCqlAutoConfiguration.class, SurewriteSchemaAutoConfiguration.class})
@ConditionalOnBean(ConditionalWrites.class)
@ConditionalOnBooleanProperty(name = LeaseProperties.PREFIX + ".enabled", matchIfMissing = true)
@EnableConfigurationProperties(LeaseProperties.class)
@Import(Refusals.class)
public final class SurewriteLeaseAutoConfiguration {

    @Bean
    @Lazy
    @ConditionalOnMissingBean(LeaseLocks.class)
    CloseableLeaseLocks surewriteLeaseLocks(SessionSets sessions) {
        return sessions.ofPrimary(CloseableLeaseLocks.class, SurewriteLeaseAutoConfiguration::leases);
    }

    static CloseableLeaseLocks leases(SessionSets.Shared on) {
        LeaseSettings settings = on.bean(LeaseProperties.class).settings(on.clockMargin(), on.attemptTimeout());
        on.requireSureConditions("Leases");
        String table = on.schema().table("lease");
        LeaseLocksFactory.requireOneSerialConsistency(on.session(), on.writes(), table, settings.attemptTimeout());
        return LeaseLocksFactory.create(on.session(), on.writes(), table, settings, on.observations());
    }

    @Bean
    static AbstractBeanFactoryAwareAdvisingPostProcessor surewriteWithLease(
            ObjectProvider<LeaseLocks> locks, Refusals surewriteRefusals) {
        return new LeasedMethod.OfBeans(locks::getObject, surewriteRefusals);
    }

    @Bean
    static RepositoryMethodAdvice surewriteRepositoryLeases(
            ObjectProvider<LeaseLocks> locks, ConfigurableBeanFactory beans) {
        return new LeasedMethod.OfRepositories(locks::getObject, beans::resolveEmbeddedValue);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(LockRegistry.class)
    static class SpringIntegration {

        @Bean
        @Lazy
        @ConditionalOnMissingBean(LockRegistry.class)
        LeaseLockRegistry surewriteLeaseLockRegistry(LeaseLocks locks) {
            return new LeaseLockRegistry(locks, "integration:");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(LockProvider.class)
    static class ShedLock {

        @Bean
        @Lazy
        @ConditionalOnMissingBean(LockProvider.class)
        LeaseLockProvider surewriteLeaseLockProvider(LeaseLocks locks) {
            return new LeaseLockProvider(locks, "shedlock:");
        }
    }
}
