package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.session.SessionBuilder;
import io.surewrite.repository.LeasedMethod;
import io.surewrite.repository.RepositoryAdviceRegistrar;
import io.surewrite.write.NeverRetryPolicy;
import io.surewrite.write.WriteTimestamps;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.cassandra.autoconfigure.CassandraAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.data.repository.core.support.RepositoryFactoryBeanSupport;

/** Session defaults that sure writes need, each yielding to the user's own setting, and the clocks of sessions. */
@OnStart(OnStart.Mode.REFUSE)
@AutoConfiguration(before = CassandraAutoConfiguration.class)
@ConditionalOnClass(CqlSession.class)
@EnableConfigurationProperties({ClockProperties.class, ConditionalWriteProperties.class})
@Import({SessionCheck.class, SessionDefaults.class})
@ImportRuntimeHints(SurewriteSessionAutoConfiguration.Hints.class)
public final class SurewriteSessionAutoConfiguration {

    @Bean
    static ClockGuards surewriteClockGuards(ObjectProvider<ClockProperties> properties) {
        return new ClockGuards(properties);
    }

    /**
     * What a native image must keep: the classes that the driver makes by their names, the settings of a session's builder, what
     * the keys of leases may name, and our tables.
     */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            hints.reflection().registerType(NeverRetryPolicy.class, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
            hints.reflection().registerType(WriteTimestamps.class, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
            hints.reflection().registerType(SessionBuilder.class, MemberCategory.ACCESS_DECLARED_FIELDS);
            hints.reflection().registerType(CqlSessionBuilder.class, MemberCategory.ACCESS_DECLARED_FIELDS);
            hints.reflection()
                    .registerType(
                            RepositoryFactoryBeanSupport.class,
                            type -> type.withField(RepositoryAdviceRegistrar.NAMED_QUERIES));
            hints.reflection()
                    .registerType(TypeReference.of(LeasedMethod.KEY_ROOT), MemberCategory.INVOKE_PUBLIC_METHODS);
            hints.resources().registerPattern("io/surewrite/schema/*.cql");
        }
    }
}
