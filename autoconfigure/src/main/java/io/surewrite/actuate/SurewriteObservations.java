package io.surewrite.actuate;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.cql.FailureKind;
import io.surewrite.cql.WriteListener;
import io.surewrite.cql.WriteScope;
import io.surewrite.unique.UniqueListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;

/**
 * The observations of all features: spans in the caller's trace where traces are kept, timers where metrics are. Values are
 * no tags.
 *
 * <ul>
 *   <li>{@code surewrite.write} for each logical write, with an event for each failed attempt, around the driver's requests.
 *   <li>{@code surewrite.unique} for each call of the guard, with its requests in it, whichever threads send them.
 * </ul>
 *
 * <p>Spans name database, keyspace and table as OpenTelemetry's conventions for databases do, where the table is known, and
 * the type of the last failure if the outcome is one. A failure's message may hold values, so spans have none.
 */
public final class SurewriteObservations implements WriteListener, UniqueListener {

    /** Where Micrometer looks for the parent in Reactor's context. */
    private static final String CONTEXT_KEY = "micrometer.observation";

    private static final KeyValues SYSTEM = KeyValues.of("db.system.name", "cassandra");

    private final ObservationRegistry registry;

    private final Map<String, KeyValues> databases = new ConcurrentHashMap<>();

    /** What spans say of the database and, for the writes to one table, of that. */
    private final KeyValues database;

    /**
     * Creates the observations.
     *
     * @param registry hands the observations out
     */
    public SurewriteObservations(ObservationRegistry registry) {
        this(registry, SYSTEM);
    }

    private SurewriteObservations(ObservationRegistry registry, KeyValues database) {
        this.registry = registry;
        this.database = database;
    }

    @Override
    public WriteListener about(String table) {
        return new SurewriteObservations(registry, database(table));
    }

    private KeyValues database(String table) {
        KeyValues known = databases.get(table);
        return known == null ? databases.computeIfAbsent(table, SurewriteObservations::attributes) : known;
    }

    private static KeyValues attributes(String table) {
        int dot = table.indexOf('.');
        return dot < 0
                ? SYSTEM.and("db.collection.name", table)
                : SYSTEM.and("db.namespace", table.substring(0, dot), "db.collection.name", table.substring(dot + 1));
    }

    @Override
    public WriteListener.Call started(String operation) {
        return new ObservedWrite(Observation.createNotStarted(SurewriteMeter.WRITE.id(), registry)
                .contextualName(operation)
                .lowCardinalityKeyValue("operation", operation)
                .highCardinalityKeyValues(database)
                .start());
    }

    private static final class ObservedWrite implements WriteListener.Call {

        private final Observation observation;
        private volatile @Nullable String failure;

        private ObservedWrite(Observation observation) {
            this.observation = observation;
        }

        @Override
        public WriteScope.Opened attemptStarted() {
            return observation.openScope()::close;
        }

        @Override
        public Map<?, ?> reactorContext() {
            return Map.of(CONTEXT_KEY, observation);
        }

        @Override
        public void attemptFailed(int attempt, FailureKind kind, Throwable failure) {
            this.failure = NestedExceptionUtils.getMostSpecificCause(failure)
                    .getClass()
                    .getName();
            observation.event(Observation.Event.of("attempt.failed", "attempt " + attempt + ": " + LowerCase.of(kind)));
        }

        @Override
        public void ended(WriteListener.End end, int attempts) {
            observation.highCardinalityKeyValue("attempts", Integer.toString(attempts));
            String type = failure;
            if (type != null && end != WriteListener.End.SUCCEEDED && end != WriteListener.End.REJECTED) {
                observation.highCardinalityKeyValue("error.type", type);
            }
            stop(observation, end);
        }
    }

    @Override
    public UniqueListener.Call begun(String operation, @Nullable String table) {
        return registry.isNoop()
                ? UniqueListener.Call.NONE
                : new ObservedGuard(Observation.createNotStarted(SurewriteMeter.UNIQUE.id(), registry)
                        .contextualName("unique " + operation)
                        .lowCardinalityKeyValue("operation", operation)
                        .highCardinalityKeyValues(table == null ? SYSTEM : database(table))
                        .start());
    }

    private record ObservedGuard(Observation observation) implements UniqueListener.Call {

        @Override
        public void ended(UniqueListener.End end) {
            stop(observation, end);
        }

        @Override
        public WriteScope.Opened stepStarted() {
            return observation.openScope()::close;
        }
    }

    private static void stop(Observation observation, Enum<?> outcome) {
        stop(observation, LowerCase.of(outcome));
    }

    private static void stop(Observation observation, String outcome) {
        observation.lowCardinalityKeyValue("outcome", outcome);
        observation.stop();
    }
}
