package io.surewrite.verification.faults;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;

/** Notes down the writes of which nobody knew at some time whether they had been done, and whether it was found out. */
final class AmbiguousOutcomes implements ObservationHandler<Observation.Context> {

    private volatile @Nullable History history;

    /** From now on; what happens while an application starts is of no interest. */
    void noteIn(History history) {
        this.history = history;
    }

    @Bean
    ObservationRegistry observesWrites() {
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(this);
        return registry;
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return "surewrite.write".equals(context.getName());
    }

    @Override
    public void onEvent(Observation.Event event, Observation.Context context) {
        note(event.getName().equals("settled"), Event.SETTLED);
    }

    @Override
    public void onStop(Observation.Context ended) {
        note(
                ended.getLowCardinalityKeyValues().stream()
                        .anyMatch(key -> key.getValue().equals("unknown")),
                Event.UNSETTLED);
    }

    private void note(boolean isSo, String what) {
        History notes = history;
        if (isSo && notes != null) {
            notes.add(what, "", 0, System.nanoTime());
        }
    }
}
