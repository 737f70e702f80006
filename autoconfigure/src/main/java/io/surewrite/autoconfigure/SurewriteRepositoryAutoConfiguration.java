package io.surewrite.autoconfigure;

import io.surewrite.repository.RepositoryAdviceRegistrar;
import io.surewrite.repository.RepositoryMethodAdvice;
import io.surewrite.session.SureSessions;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.data.cassandra.repository.CassandraRepository;

/** Puts what the features have to add around repository methods. */
@AutoConfiguration
@ConditionalOnClass(CassandraRepository.class)
public final class SurewriteRepositoryAutoConfiguration {

    @Bean
    static RepositoryAdviceRegistrar surewriteRepositoryAdvice(
            ObjectProvider<SureSessions> sessions, ObjectProvider<RepositoryMethodAdvice> advices) {
        return new RepositoryAdviceRegistrar(
                sessions::getIfAvailable, () -> advices.orderedStream().toList());
    }
}
