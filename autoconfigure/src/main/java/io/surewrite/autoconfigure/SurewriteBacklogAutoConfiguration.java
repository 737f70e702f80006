package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.backlog.BacklogCipher;
import io.surewrite.backlog.BacklogException;
import io.surewrite.backlog.BacklogListener;
import io.surewrite.backlog.SqliteBacklogStore;
import io.surewrite.backlog.StoredWriteBacklog;
import io.surewrite.backlog.StoredWriteBacklog.BacklogSession;
import io.surewrite.backlog.StoredWriteBacklog.BacklogSettings;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.write.InvalidConfigurationException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/** The backlog, if it is asked for. */
@OnStart(OnStart.Mode.REFUSE)
@AutoConfiguration(after = SurewriteCqlAutoConfiguration.class, before = SurewriteRetryAutoConfiguration.class)
@ConditionalOnBean(CqlSession.class)
@ConditionalOnBooleanProperty(name = BacklogProperties.PREFIX + ".enabled")
@EnableConfigurationProperties(BacklogProperties.class)
public final class SurewriteBacklogAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(WriteBacklog.class)
    SqliteBacklogStore surewriteBacklogStore(BacklogProperties properties, ResourceLoader resources) {
        PropertyCheck.require(
                ClassUtils.isPresent("org.sqlite.SQLiteConfig", resources.getClassLoader()),
                BacklogProperties.PREFIX + ".enabled",
                true,
                "The backlog needs a library that is not there. Add the dependency org.xerial:sqlite-jdbc.");
        try {
            return new SqliteBacklogStore(
                    properties.requiredDirectory(),
                    properties.maxEntries(),
                    properties.maxSize().toBytes(),
                    properties.recover() == BacklogProperties.Recover.ACCEPT_LOSS);
        } catch (BacklogException refused) {
            InvalidConfigurationException failure = new InvalidConfigurationException(
                    BacklogProperties.PREFIX,
                    String.valueOf(refused.getMessage()),
                    "Do what the message says, or start without the backlog: %s.enabled=false. Writes that wait stay in its directory."
                            .formatted(BacklogProperties.PREFIX),
                    BacklogProperties.PAGE);
            failure.initCause(refused);
            throw failure;
        }
    }

    @Bean
    @ConditionalOnMissingBean(WriteBacklog.class)
    StoredWriteBacklog surewriteWriteBacklog(
            CqlSession session,
            ConfigurableListableBeanFactory beans,
            SqliteBacklogStore store,
            ObjectProvider<BacklogSettings> settings,
            ObjectProvider<BacklogListener> listeners,
            LateObservations observations,
            ObjectProvider<BacklogCipher> cipher) {
        List<BacklogSession> sessions = new ArrayList<>();
        BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, CqlSession.class).forEach((name, one) -> {
            beans.registerDependentBean(name, "surewriteWriteBacklog"); // so that it ends before the session
            if (one.getContext() == session.getContext()) {
                if (sessions.stream().noneMatch(known -> known.session() == session)) {
                    sessions.add(0, new BacklogSession(name, session));
                }
            } else {
                sessions.add(new BacklogSession(name, one));
            }
        });
        return new StoredWriteBacklog(
                sessions,
                store,
                settings.getIfAvailable(() -> BacklogSettings.DEFAULTS),
                listeners.orderedStream().toList(),
                observations.registry(),
                Clock.systemUTC(),
                cipher.getIfAvailable());
    }
}
