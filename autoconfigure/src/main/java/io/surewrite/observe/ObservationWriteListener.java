package io.surewrite.observe;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.cql.FailureKind;
import io.surewrite.cql.WriteListener;
import io.surewrite.cql.WriteScope;
import java.util.Map;

/**
 * One observation {@code surewrite.write} for each logical write, with an event for each failed attempt: a span around
 * the driver's requests where traces are kept, a timer where metrics are.
 */
public final class ObservationWriteListener implements WriteListener {

    /** Where Micrometer looks for the parent in Reactor's context. */
    private static final String CONTEXT_KEY = "micrometer.observation";

    private final ObservationRegistry registry;

    /**
     * Creates the listener.
     *
     * @param registry hands the observations out
     */
    public ObservationWriteListener(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public Call started(String operation) {
        return new ObservedCall(Observation.createNotStarted("surewrite.write", registry)
                .contextualName(operation)
                .lowCardinalityKeyValue("operation", operation)
                .start());
    }

    private record ObservedCall(Observation observation) implements Call {

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
            observation.event(Observation.Event.of("attempt.failed." + kind, "attempt " + attempt + ": " + kind));
        }

        @Override
        public void ended(End end, int attempts) {
            observation.lowCardinalityKeyValue("end", end.name());
            observation.highCardinalityKeyValue("attempts", Integer.toString(attempts));
            observation.stop();
        }
    }
}
