package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Session defaults that sure writes need, each yielding to the user's own setting. */
@AutoConfiguration(before = CassandraAutoConfiguration.class)
@ConditionalOnClass(CqlSession.class)
@EnableConfigurationProperties(ConditionalWriteProperties.class)
@ImportRuntimeHints(SurewriteRuntimeHints.class)
public final class SurewriteSessionAutoConfiguration {

    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE) // first, so that the user's customizers have the last word
    SessionDefaults surewriteSessionDefaults(ConditionalWriteProperties properties) {
        return new SessionDefaults(properties);
    }

    @Bean
    static SessionCheck surewriteSessionCheck() {
        return new SessionCheck();
    }
}
