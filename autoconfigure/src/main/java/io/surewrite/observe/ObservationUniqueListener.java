package io.surewrite.observe;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.unique.UniqueListener;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * One observation {@code surewrite.unique} for each call of the guard, from its beginning to its end: a span in the
 * caller's trace. Values are no tags.
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
    public Consumer<End> begun(String operation) {
        Observation observation = Observation.createNotStarted("surewrite.unique", registry)
                .contextualName("unique " + operation)
                .lowCardinalityKeyValue("operation", operation)
                .start();
        return end -> {
            observation.lowCardinalityKeyValue(
                    "outcome", end.name().toLowerCase(Locale.ROOT).replace('_', '-'));
            observation.stop();
        };
    }
}
