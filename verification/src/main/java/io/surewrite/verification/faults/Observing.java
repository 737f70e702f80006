package io.surewrite.verification.faults;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.Objects;

/** Observes what one client's application does. */
interface Observing extends ObservationHandler<Observation.Context> {

    @Override
    default boolean supportsContext(Observation.Context context) {
        return true;
    }

    /** How an observation that is over has ended. */
    static String outcome(Observation.Context ended) {
        return Objects.requireNonNull(ended.getLowCardinalityKeyValue("outcome"))
                .getValue();
    }

    /** A registry in which this observes. */
    default ObservationRegistry registry() {
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(this);
        return registry;
    }
}
