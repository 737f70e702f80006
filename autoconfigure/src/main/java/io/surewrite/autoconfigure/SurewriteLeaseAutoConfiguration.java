package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.settle.ConditionalProfile;
import io.surewrite.lease.CloseableLeaseLocks;
import io.surewrite.lease.LeaseListener;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseSettings;
import io.surewrite.lease.adapter.LeaseLockProvider;
import io.surewrite.lease.adapter.LeaseLockRegistry;
import io.surewrite.lease.tenure.LeaseLocksFactory;
import io.surewrite.lease.tenure.LeaseSweep;
import io.surewrite.repository.RepositoryAdvices;
import io.surewrite.repository.RepositoryMethodAdvice;
import io.surewrite.schema.SurewriteSchema;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.beans.factory.BeanFactory;
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
import org.springframework.context.annotation.Lazy;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * Leases: the locks, the annotation, and what other libraries call them. All are made when they are first asked for, and
 * only then is their table needed.
 */
@AutoConfiguration(after = {SurewriteCqlAutoConfiguration.class, SurewriteSchemaAutoConfiguration.class})
@ConditionalOnBean(ConditionalWrites.class)
@ConditionalOnBooleanProperty(name = LeaseProperties.PREFIX + ".enabled", matchIfMissing = true)
@EnableConfigurationProperties(LeaseProperties.class)
public final class SurewriteLeaseAutoConfiguration {

    private static final String TABLE = "lease";

    @Bean
    @Lazy
    @ConditionalOnMissingBean(LeaseLocks.class)
    CloseableLeaseLocks surewriteLeaseLocks(
            CqlSession session,
            ConditionalProfile profile,
            ConditionalWrites writes,
            SurewriteSchema schema,
            BeanFactory beans) {
        return leases(profile.on(session), writes, schema, beans);
    }

    static CloseableLeaseLocks leases(
            CqlSession session, ConditionalWrites writes, SurewriteSchema schema, BeanFactory beans) {
        LeaseProperties properties = beans.getBean(LeaseProperties.class);
        LeaseSettings settings = properties.settings();
        String table = schema.table(TABLE);
        // Nothing waits for it: between processes that know of it the order holds from the start.
        if (!schema.isClosed(TABLE, 2)) {
            var unused = schema.knownToAll(
                            TABLE, 2, "The order of writes under leases, beside processes of an earlier release,")
                    .getAsBoolean();
        }
        SurewriteSchemaAutoConfiguration.firstWrite(
                table,
                () -> LeaseLocksFactory.requireOneSerialConsistency(session, writes, table, settings.attemptTimeout()));
        CloseableLeaseLocks locks =
                LeaseLocksFactory.create(session, schema.fenced(TABLE, writes), table, settings, listener(beans));
        return properties.reentrant() ? locks.reentrant() : locks;
    }

    @Bean
    @ConditionalOnBooleanProperty(name = LeaseProperties.PREFIX + ".sweep.enabled")
    BackgroundSweep surewriteLeaseRowSweep(
            CqlSession session,
            ConditionalProfile profile,
            ConditionalWrites writes,
            SurewriteSchema schema,
            LeaseProperties properties,
            ObjectProvider<LeaseLocks> leases,
            BeanFactory beans) {
        LeaseSweep sweep = LeaseSweep.of(
                profile.on(session),
                schema.fenced(TABLE, writes),
                schema.table(TABLE),
                properties.sweep().retention(),
                properties.attemptTimeout(),
                listener(beans));
        return new BackgroundSweep.OfLeaseRows(
                sweep,
                schema.knownToAll(TABLE, 2, "The sweep of lease rows"),
                leases,
                properties.sweep().every());
    }

    private static LeaseListener listener(BeanFactory beans) {
        return beans.getBean(Listeners.class).leases();
    }

    @Bean
    static AbstractBeanFactoryAwareAdvisingPostProcessor surewriteWithLease(
            ObjectProvider<LeaseLocks> locks, ConfigurableBeanFactory beans) {
        return RepositoryAdvices.leasesOfBeans(locks::getObject, beans::resolveEmbeddedValue);
    }

    @Bean
    static RepositoryMethodAdvice surewriteRepositoryLeases(
            ObjectProvider<LeaseLocks> locks, ConfigurableBeanFactory beans) {
        return RepositoryAdvices.leases(locks::getObject, beans::resolveEmbeddedValue);
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
