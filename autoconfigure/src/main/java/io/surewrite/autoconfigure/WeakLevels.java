package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.cql.SureLevel;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.data.cassandra.core.cql.CqlTemplate;

/** Names, in one line, the levels of sure statements that are acknowledged by one replica, or by none. */
final class WeakLevels implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(WeakLevels.class);

    private final ObjectProvider<CqlSession> sessions;
    private final ObjectProvider<CqlTemplate> templates;
    private final boolean majority;
    private final Set<String> ofMethods = new LinkedHashSet<>();
    private boolean started;

    WeakLevels(ObjectProvider<CqlSession> sessions, ObjectProvider<CqlTemplate> templates, boolean majority) {
        this.sessions = sessions;
        this.templates = templates;
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
        templates
                .orderedStream()
                .map(CqlTemplate::getConsistencyLevel)
                .filter(level -> level != null && SureLevel.isWeak(level.name()))
                .forEach(level -> all.add(level + " (of a CqlTemplate)"));
        all.addAll(ofMethods);
        if (!all.isEmpty()) {
            report(all);
        }
    }

    private static void report(Iterable<String> weak) {
        log.warn(
                "A write that one replica has acknowledged may be missed by a read, or be lost with its node. Levels that allow it: {}",
                String.join(", ", weak));
    }
}
