package io.surewrite.internal.observe;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;

/** Hears what is observed. */
public abstract class HeardObservations implements ObservationHandler<Observation.Context> {

    @Override
    public boolean supportsContext(Observation.Context context) {
        return true;
    }

    /** {@return a registry in which this hears} */
    public ObservationRegistry registry() {
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(this);
        return registry;
    }

    /** {@return how it ended} */
    public static String outcome(Observation.Context context) {
        return low(context, "outcome");
    }

    /** {@return the value of a key of low cardinality, or empty} */
    public static String low(Observation.Context context, String key) {
        return value(context.getLowCardinalityKeyValue(key));
    }

    /** {@return the value of a key of high cardinality, or empty} */
    public static String high(Observation.Context context, String key) {
        return value(context.getHighCardinalityKeyValue(key));
    }

    private static String value(KeyValue pair) {
        return pair == null ? "" : pair.getValue();
    }
}
