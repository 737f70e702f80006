package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.internal.clock.ClockGuard;
import io.surewrite.internal.clock.ClockGuard.ClockReport;
import io.surewrite.internal.session.SessionDecorator;
import io.surewrite.write.WriteTimestamps;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.PriorityOrdered;

/**
 * Has the clocks of every session measured from the moment it is there, whatever made it, so that the first write already
 * knows of a wrong clock.
 */
final class ClockGuards implements BeanPostProcessor, PriorityOrdered {

    private static final Logger log = LoggerFactory.getLogger(ClockGuards.class);

    private static final long FIRST_MEASUREMENT_SECONDS = 1;

    private final ObjectProvider<ClockProperties> properties;
    private final Map<String, ClockGuard> guards = new ConcurrentHashMap<>();

    /** Nobody until all beans are there. */
    private volatile BiConsumer<String, ClockReport> shown = (session, report) -> {};

    ClockGuards(ObjectProvider<ClockProperties> properties) {
        this.properties = properties;
    }

    /** Among the first, after what looks whether it is a session that can be measured. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE + 101;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof CqlSession session) {
            watch(session, beanName);
        }
        return bean;
    }

    /** Has the clocks of a session measured until it is closed, once, however many beans lead to it. */
    void watch(CqlSession session, String name) {
        if (!SessionDecorator.isReal(session)) {
            return;
        }
        ClockProperties watched = properties.getObject();
        ClockGuard guard = watched.enabled() ? ClockGuard.of(WriteTimestamps.of(session)) : null;
        if (guard == null || guard.isStarted()) {
            return;
        }
        CompletionStage<ClockReport> first =
                guard.start(session, watched.settings(), report -> shown.accept(name, report));
        guards.put(name, guard);
        try {
            first.toCompletableFuture().get(FIRST_MEASUREMENT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException slow) {
            log.info("The clocks of the Cassandra session '{}' are not measured yet", name);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Shows what is known, by the names of the sessions' beans, and from now on each measurement, on the thread that measures. */
    void show(BiConsumer<String, ClockReport> show) {
        shown = show;
        reports().forEach(show);
    }

    /** What is known, by session; of a closed one nothing. */
    Map<String, ClockReport> reports() {
        guards.values().removeIf(guard -> !guard.isStarted());
        Map<String, ClockReport> reports = new TreeMap<>();
        guards.forEach((name, guard) -> reports.put(name, guard.report()));
        return reports;
    }
}
