package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Measures clocks, and reports when they are wrong. */
@ConditionalOnBooleanProperty(name = "surewrite.enabled", matchIfMissing = true)
@AutoConfiguration(after = CassandraAutoConfiguration.class)
@ConditionalOnClass(CqlSession.class)
@EnableConfigurationProperties(ClockProperties.class)
public final class SurewriteClockAutoConfiguration {

    @Bean
    static ClockGuards surewriteClockGuards(ObjectProvider<ClockProperties> properties) {
        return new ClockGuards(properties);
    }
}
