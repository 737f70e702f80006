package io.surewrite.internal.observe;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.write.FailureKind;
import io.surewrite.write.WriteScope;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;

/**
 * One thing that takes time, as Micrometer observes it; {@code docs/meters.md} lists the names and keys. Where nobody observes,
 * nothing is made. What a handler throws is logged, once a minute at most, and changes nothing.
 */
public final class Observed {

    public static final Observed NONE = new Observed(ObservationRegistry.NOOP, Observation.NOOP);

    private static final Logger log = LoggerFactory.getLogger(Observed.class);
    private static final QuietLog QUIET = new QuietLog();

    /** Where Micrometer looks for the parent in Reactor's context. */
    private static final String CONTEXT_KEY = "micrometer.observation";

    private final ObservationRegistry registry;
    private final Observation observation;
    private volatile @Nullable Throwable lastFailure;
    private volatile boolean wasUnknown;

    private Observed(ObservationRegistry registry, Observation observation) {
        this.registry = registry;
        this.observation = observation;
    }

    public enum WriteEnd {
        SUCCEEDED,
        /** The condition of a conditional write did not hold. */
        REJECTED,
        /** On disk until the cluster takes it. */
        KEPT,
        /** In a way that no repetition fixes. */
        FAILED,
        /** Given up, without effect. */
        EXHAUSTED,
        UNKNOWN
    }

    /**
     * Begins an observation whose parent is current on this thread.
     *
     * @param operation of low cardinality and without values; null where the name says it
     * @param table with its keyspace; null if it is about none, or several
     */
    public static Observed start(
            ObservationRegistry registry, String name, @Nullable String operation, @Nullable String table) {
        Observed made = made(registry, name);
        if (made == NONE) {
            return NONE;
        }
        made.with("db.system.name", "cassandra");
        if (table != null) {
            int dot = table.indexOf('.');
            made.with("db.collection.name", table.substring(dot + 1));
            if (dot > 0) {
                made.with("db.namespace", table.substring(0, dot));
            }
        }
        if (operation != null) {
            made.observation.lowCardinalityKeyValue("operation", operation).contextualName(operation);
        }
        made.tell(made.observation::start);
        return made;
    }

    private static Observed made(ObservationRegistry registry, String name) {
        if (registry.isNoop()) {
            return NONE;
        }
        try {
            Observation made = Observation.createNotStarted(name, registry);
            return made.isNoop() ? NONE : new Observed(registry, made);
        } catch (Throwable failure) {
            ignore(failure);
            return NONE;
        }
    }

    /** Begins another one that this leads to, and that may be over after it. */
    public Observed follow(String name) {
        Observed next = made(registry, name);
        if (next != NONE) {
            tell(() -> next.observation.parentObservation(observation).start());
        }
        return next;
    }

    /** In spans only, of any cardinality. */
    public void with(String key, String value) {
        observation.highCardinalityKeyValue(key, value);
    }

    public void with(String key, long value) {
        if (this != NONE) {
            with(key, Long.toString(value));
        }
    }

    /** Makes it current on this thread, which closes it. */
    public WriteScope.Opened open() {
        if (this == NONE) {
            return WriteScope.Opened.NOTHING;
        }
        Observation.Scope before = registry.getCurrentObservationScope();
        tell(observation::openScope);
        // It is current also where a handler has thrown.
        Observation.Scope opened = registry.getCurrentObservationScope();
        return () -> {
            if (opened != null && opened != before) {
                tell(opened::close);
            }
            registry.setCurrentObservationScope(before);
        };
    }

    public Map<?, ?> reactorContext() {
        return this == NONE ? Map.of() : Map.of(CONTEXT_KEY, observation);
    }

    /** Something on the way: a counter, which ends with the name, and a text in spans. */
    public void event(String name, String text) {
        if (this != NONE) {
            tell(() -> observation.event(Observation.Event.of(name, text)));
        }
    }

    public void attemptFailed(int attempt, FailureKind kind, Throwable failure) {
        if (this != NONE) {
            lastFailure = failure;
            wasUnknown |= kind == FailureKind.UNKNOWN;
            event("attempt.failed", "attempt " + attempt + ": " + lowerCase(kind));
        }
    }

    /** Outcomes are in lower case and few. */
    public void stop(String outcome) {
        observation.lowCardinalityKeyValue("outcome", outcome);
        tell(observation::stop);
    }

    /** Only the type of what failed is shown: its message may hold values. */
    public void stop(String outcome, @Nullable Throwable failure) {
        if (failure != null && this != NONE) {
            Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
            with("error.type", cause.getClass().getName());
        }
        stop(outcome);
    }

    public void stopWrite(WriteEnd end, int attempts) {
        if (this == NONE) {
            return;
        }
        with("attempts", attempts);
        boolean decided = end == WriteEnd.SUCCEEDED || end == WriteEnd.REJECTED;
        if (decided && wasUnknown) {
            event("settled", "it was unknown at first");
        }
        stop(lowerCase(end), decided ? null : lastFailure);
    }

    /** A constant as tags and log lines name it, such as half-open. */
    public static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private void tell(Runnable call) {
        try {
            call.run();
        } catch (Throwable failure) {
            ignore(failure);
        }
    }

    private static void ignore(Throwable failure) {
        try {
            QUIET.say(
                    failure.getClass().getName(),
                    more -> log.warn(
                            "A handler of observations failed. It changed nothing of what was observed{}",
                            more,
                            failure));
        } catch (Throwable logging) {
            // There is no one left to tell, and the caller must not notice.
        }
    }
}
