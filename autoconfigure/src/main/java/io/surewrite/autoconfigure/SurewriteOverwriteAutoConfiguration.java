package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.autoconfigure.SurewriteOverwriteAutoConfiguration.OverwriteProperties;
import io.surewrite.internal.session.SessionDecorator;
import io.surewrite.overwrite.ReactiveRowOverwrites;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.repository.RepositoryOverwrites;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraAutoConfiguration;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraReactiveAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.ReactiveCassandraOperations;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.util.unit.DataSize;
import reactor.core.publisher.Flux;

/** Overwrites of whole rows, blocking and reactive. */
@OnStart(OnStart.Mode.REFUSE)
@AutoConfiguration(after = {DataCassandraAutoConfiguration.class, DataCassandraReactiveAutoConfiguration.class})
@ConditionalOnClass(CassandraOperations.class)
@ConditionalOnBean({CqlSession.class, CassandraConverter.class})
@EnableConfigurationProperties(OverwriteProperties.class)
@Import(RepositoryOverwrites.class)
public final class SurewriteOverwriteAutoConfiguration {

    /** Of the template that is injected where no name is given; repositories have those of their own template. */
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(CassandraOperations.class)
    RowOverwrites rowOverwrites(SessionSets sessions, CassandraOperations operations) {
        SessionSets.OfTemplate own = sessions.of(operations);
        return SessionDecorator.isReal(own.session()) ? own.rowOverwrites() : StandIn.of(RowOverwrites.class);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Flux.class)
    @ConditionalOnSingleCandidate(ReactiveCassandraOperations.class)
    static class Reactive {

        @Bean
        @ConditionalOnMissingBean
        ReactiveRowOverwrites reactiveRowOverwrites(SessionSets sessions, ReactiveCassandraOperations operations) {
            SessionSets.OfTemplate own = sessions.of(operations);
            return SessionDecorator.isReal(own.session())
                    ? own.reactiveRowOverwrites()
                    : StandIn.of(ReactiveRowOverwrites.class);
        }
    }

    /**
     * Row overwrites.
     *
     * @param onSave whether save and saveAll of every repository overwrite the row, instead of writing a tombstone for every
     *     null
     * @param maxSize the most that the values of one overwrite may take
     */
    @ConfigurationProperties("surewrite.overwrite")
    record OverwriteProperties(
            @DefaultValue("false") boolean onSave,
            @DefaultValue("1MB") DataSize maxSize) {}
}
