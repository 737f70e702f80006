package io.surewrite.observe;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.cql.WriteScope;
import io.surewrite.unique.UniqueListener;
import java.util.Locale;

/**
 * One observation {@code surewrite.unique} for each call of the guard, from its beginning to its end: a span in the
 * caller's trace, with its requests in it, whichever threads send them. Values are no tags.
 */
public final class ObservationUniqueListener implements UniqueListener {

    private final ObservationRegistry registry;

    /**
     * Creates the listener.
     *
     * @param registry hands the observations out
     */
    public ObservationUniqueListener(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public Call begun(String operation) {
        return registry.isNoop()
                ? Call.NONE
                : new ObservedCall(Observation.createNotStarted("surewrite.unique", registry)
                        .contextualName("unique " + operation)
                        .lowCardinalityKeyValue("operation", operation)
                        .start());
    }

    private record ObservedCall(Observation observation) implements Call {

        @Override
        public void ended(End end) {
            observation.lowCardinalityKeyValue(
                    "outcome", end.name().toLowerCase(Locale.ROOT).replace('_', '-'));
            observation.stop();
        }

        @Override
        public WriteScope.Opened stepStarted() {
            return observation.openScope()::close;
        }
    }
}
