package io.surewrite.calls;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import java.time.Duration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.cassandra.autoconfigure.DriverConfigLoaderBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.AsyncCassandraTemplate;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;
import org.springframework.data.cassandra.repository.config.EnableReactiveCassandraRepositories;

/** The application. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({Assistant.class, Desk.class})
@EnableCassandraRepositories
@EnableReactiveCassandraRepositories
class Office {

    /** Its network loses so much that the driver gives connections up, again and again. */
    @Bean
    DriverConfigLoaderBuilderCustomizer soonBack() {
        return builder -> builder.withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(20))
                .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofMillis(200));
    }

    @Bean
    AsyncCassandraTemplate asyncTemplate(SessionFactory sessions, CassandraConverter converter) {
        return new AsyncCassandraTemplate(sessions, converter);
    }
}
