package io.surewrite.observe;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.lease.AcquireOutcome;
import io.surewrite.lease.LeaseListener;
import io.surewrite.lease.LeaseRequest;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * One observation {@code surewrite.lease} for each lease that is asked for, from the question to the answer: a span in the
 * caller's trace that shows how long it waited, and for which name.
 */
public final class ObservationLeaseListener implements LeaseListener {

    private final ObservationRegistry registry;

    /**
     * Creates the listener.
     *
     * @param registry hands the observations out
     */
    public ObservationLeaseListener(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public Consumer<AcquireOutcome> asked(LeaseRequest request) {
        Observation observation = Observation.createNotStarted("surewrite.lease", registry)
                .contextualName("acquire lease")
                .highCardinalityKeyValue("name", request.name())
                .start();
        return outcome -> {
            observation.lowCardinalityKeyValue(
                    "outcome", outcome.name().toLowerCase(Locale.ROOT).replace('_', '-'));
            observation.stop();
        };
    }
}
