package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.internal.session.SessionDecorator;
import io.surewrite.internal.session.SureLevel;
import io.surewrite.repository.Refusals;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.data.cassandra.core.AsyncCassandraTemplate;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.ReactiveCassandraTemplate;
import org.springframework.data.cassandra.core.cql.CassandraAccessor;
import org.springframework.data.cassandra.core.cql.ReactiveCqlTemplate;

/** Names, in one line, the levels of sure statements that are acknowledged by one replica, or by none. */
final class WeakLevels implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(WeakLevels.class);

    /** The senders first: they give a level its name. None needs Reactor to be looked for. */
    private static final List<Class<?>> TEMPLATES = List.of(
            CassandraAccessor.class,
            CassandraTemplate.class,
            AsyncCassandraTemplate.class,
            ReactiveCqlTemplate.class,
            ReactiveCassandraTemplate.class);

    private final ObjectProvider<CqlSession> sessions;
    private final ListableBeanFactory beans;
    private final boolean majority;
    private final Refusals refusals;
    private final Set<String> ofMethods = new LinkedHashSet<>();
    private boolean started;

    WeakLevels(
            ObjectProvider<CqlSession> sessions,
            ListableBeanFactory beans,
            ConsistencyProperties consistency,
            Refusals surewriteRefusals) {
        this.refusals = surewriteRefusals;
        this.sessions = sessions;
        this.beans = beans;
        this.majority = consistency.isMajority();
    }

    /** A method that chooses a weak level, found when its repository is made. */
    synchronized void add(String method) {
        if (ofMethods.add(method) && started) {
            report(List.of(method));
        }
    }

    @Override
    public synchronized void afterSingletonsInstantiated() {
        started = true;
        Set<String> all = new LinkedHashSet<>();
        sessions()
                .filter(SessionDecorator::isReal)
                .forEach(session -> all.addAll(SureLevel.of(session).weakChoices()));
        if (!majority && all.isEmpty()) {
            all.add("LOCAL_ONE (the driver's default, by surewrite.consistency.level = driver)");
        }
        ofTemplates().forEach((name, level) -> {
            if (SureLevel.isWeak(level.name())) {
                all.add("%s (of %s)".formatted(level, name));
            }
        });
        all.addAll(ofMethods);
        if (!all.isEmpty()) {
            report(all);
        }
    }

    private Stream<CqlSession> sessions() {
        return refusals.areReported() ? named(CqlSession.class).values().stream() : sessions.orderedStream();
    }

    /** Those that are there; a report looks at those of the application that it is beside. */
    private <T> Map<String, T> named(Class<T> type) {
        if (!refusals.areReported()) {
            return beans.getBeansOfType(type, false, false);
        }
        Map<String, T> made = new TreeMap<>();
        for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, false, false)) {
            if (SessionSets.isMade(beans, name)) {
                made.put(name, beans.getBean(name, type));
            }
        }
        return made;
    }

    /** The levels that templates choose, by the names of their beans; several may be about one template. */
    private Map<String, ConsistencyLevel> ofTemplates() {
        Map<String, ConsistencyLevel> levels = new TreeMap<>();
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Class<?> type : TEMPLATES) {
            named(type).forEach((name, template) -> {
                Object sender = sender(template);
                ConsistencyLevel level = levelOf(sender);
                if (level != null && seen.add(sender)) {
                    levels.put(name, level);
                }
            });
        }
        return levels;
    }

    private static Object sender(Object template) {
        if (template instanceof CassandraTemplate blocking) {
            return blocking.getCqlOperations();
        }
        if (template instanceof AsyncCassandraTemplate async) {
            return async.getAsyncCqlOperations();
        }
        return template instanceof ReactiveCassandraTemplate reactive ? reactive.getReactiveCqlOperations() : template;
    }

    private static @Nullable ConsistencyLevel levelOf(Object sender) {
        if (sender instanceof CassandraAccessor accessor) {
            return accessor.getConsistencyLevel();
        }
        return sender instanceof ReactiveCqlTemplate reactive ? reactive.getConsistencyLevel() : null;
    }

    private void report(Iterable<String> weak) {
        refusals.warn(
                log,
                "Consistency levels",
                "A write that one replica has acknowledged may be missed by a read, or be lost with its node. Levels that allow it: %s"
                        .formatted(String.join(", ", weak)),
                "consistency");
    }

    /**
     * The consistency level of sure statements: what is annotated with @Idempotent, reads of repositories that have such
     * methods, and overwrites.
     *
     * @param level Their level where the application sets none, on the statement, in an execution profile or by
     *     spring.cassandra.request.consistency.
     */
    @ConfigurationProperties("surewrite.consistency")
    record ConsistencyProperties(@DefaultValue("majority") Level level) {

        /** Where the level comes from. */
        enum Level {

            /** LOCAL_QUORUM; QUORUM where a table refuses local levels. */
            MAJORITY,

            /** The driver's own: LOCAL_ONE. */
            DRIVER
        }

        boolean isMajority() {
            return level == Level.MAJORITY;
        }
    }
}
