package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.autoconfigure.StartReport.StartReportEndpoint;
import io.surewrite.repository.RepositoryOverwrites;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.data.cassandra.core.mapping.CassandraMappingContext;

/** All that is there with {@code surewrite.start=report}: what looks at the application, and shows what it found. */
@OnStart(OnStart.Mode.REPORT)
@AutoConfiguration(after = DataCassandraAutoConfiguration.class)
@ConditionalOnBean({CqlSession.class, CassandraMappingContext.class})
@Import(RepositoryOverwrites.class) // the fragment of repositories that overwrite needs it
public final class SurewriteReportAutoConfiguration {

    @Bean(StartReport.NAME)
    StartReport surewriteStartReport(ConfigurableListableBeanFactory beans, ConfigurableEnvironment environment) {
        return new StartReport(beans, environment);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    static class Endpoints {

        @Bean
        @ConditionalOnAvailableEndpoint(endpoint = StartReportEndpoint.class)
        StartReportEndpoint surewriteStartReportEndpoint(StartReport report) {
            return new StartReportEndpoint(report::findings);
        }
    }
}
