package io.surewrite.autoconfigure;

import io.surewrite.repository.Refusals;
import io.surewrite.repository.RepositoryAdviceRegistrar;
import io.surewrite.repository.RepositoryMethodAdvice;
import io.surewrite.repository.RepositoryOverwrites;
import io.surewrite.session.SureSessions;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** Puts what the features have to add around repository methods. */
@OnStart(OnStart.Mode.REFUSE)
@AutoConfiguration(after = CassandraAutoConfiguration.class)
@ConditionalOnClass(CassandraRepository.class)
@Import(Refusals.class)
public final class SurewriteRepositoryAutoConfiguration {

    /** Nothing is looked for by its type so early: Spring would make each bean of a static method that returns a FactoryBean. */
    @Bean
    static RepositoryAdviceRegistrar surewriteRepositoryAdvice(
            ObjectProvider<SureSessions> sessions,
            ObjectProvider<RepositoryMethodAdvice> advices,
            ObjectProvider<RepositoryOverwrites> overwrites,
            ObjectProvider<ConfigurableListableBeanFactory> beans,
            Environment environment,
            Refusals surewriteRefusals) {
        return new RepositoryAdviceRegistrar(
                sessions::getIfAvailable,
                () -> advices.orderedStream().toList(),
                overwrites::getIfAvailable,
                () -> environment.getProperty("surewrite.overwrite.on-save", Boolean.class, false),
                () -> new TableMakers(beans.getObject(), environment).run(),
                surewriteRefusals);
    }
}
