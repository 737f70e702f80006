package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.cql.session.SureLevel;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.data.cassandra.core.AsyncCassandraTemplate;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.ReactiveCassandraTemplate;
import org.springframework.data.cassandra.core.cql.CassandraAccessor;
import org.springframework.data.cassandra.core.cql.ReactiveCqlTemplate;
import org.springframework.util.ClassUtils;

/** Names, in one line, the levels of sure statements that are acknowledged by one replica, or by none. */
final class WeakLevels implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(WeakLevels.class);

    private final ObjectProvider<CqlSession> sessions;
    private final ListableBeanFactory beans;
    private final boolean majority;
    private final Set<String> ofMethods = new LinkedHashSet<>();
    private boolean started;

    WeakLevels(ObjectProvider<CqlSession> sessions, ListableBeanFactory beans, boolean majority) {
        this.sessions = sessions;
        this.beans = beans;
        this.majority = majority;
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
        sessions.orderedStream()
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

    /** The levels that templates choose, by the names of their beans; several may be about one template. */
    private Map<String, ConsistencyLevel> ofTemplates() {
        Map<String, ConsistencyLevel> levels = new TreeMap<>();
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        addLevels(CassandraAccessor.class, template -> template, seen, levels);
        addLevels(CassandraTemplate.class, CassandraTemplate::getCqlOperations, seen, levels);
        addLevels(AsyncCassandraTemplate.class, AsyncCassandraTemplate::getAsyncCqlOperations, seen, levels);
        if (Reactive.PRESENT) {
            addLevels(Reactive.SENDER, template -> template, seen, levels);
            addLevels(Reactive.TEMPLATE, Reactive::sender, seen, levels);
        }
        return levels;
    }

    private <T> void addLevels(
            Class<T> type, Function<T, Object> sender, Set<Object> seen, Map<String, ConsistencyLevel> levels) {
        beans.getBeansOfType(type, false, false).forEach((name, template) -> {
            Object sending = sender.apply(template);
            ConsistencyLevel level = sending instanceof CassandraAccessor accessor
                    ? accessor.getConsistencyLevel()
                    : Reactive.PRESENT ? Reactive.levelOf(sending) : null;
            if (level != null && seen.add(sending)) {
                levels.put(name, level);
            }
        });
    }

    /** Loaded only where Reactor is. */
    private static final class Reactive {

        static final boolean PRESENT =
                ClassUtils.isPresent("reactor.core.publisher.Mono", WeakLevels.class.getClassLoader());

        static final Class<ReactiveCqlTemplate> SENDER = ReactiveCqlTemplate.class;
        static final Class<ReactiveCassandraTemplate> TEMPLATE = ReactiveCassandraTemplate.class;

        static Object sender(ReactiveCassandraTemplate template) {
            return template.getReactiveCqlOperations();
        }

        static @Nullable ConsistencyLevel levelOf(Object sender) {
            return sender instanceof ReactiveCqlTemplate template ? template.getConsistencyLevel() : null;
        }
    }

    private static void report(Iterable<String> weak) {
        log.warn(
                "A write that one replica has acknowledged may be missed by a read, or be lost with its node. Levels that allow it: {}",
                String.join(", ", weak));
    }
}
