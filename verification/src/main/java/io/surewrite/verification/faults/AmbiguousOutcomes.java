package io.surewrite.verification.faults;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;

/** Notes down the conditional writes of which nobody knew at some time whether they had been done, and whether it was found out. */
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
    public void onStart(Observation.Context begun) {
        begun.put(Watched.class, new Watched(System.nanoTime()));
    }

    @Override
    public void onEvent(Observation.Event event, Observation.Context context) {
        Watched write = context.getRequired(Watched.class);
        write.ambiguous |= event.getName().equals("attempt.failed")
                && Objects.requireNonNull(event.getContextualName()).endsWith(": unknown");
    }

    @Override
    public void onStop(Observation.Context ended) {
        Watched write = ended.getRequired(Watched.class);
        History notes = history;
        if (write.ambiguous && notes != null) {
            notes.add(
                    value(ended.getLowCardinalityKeyValue("outcome")).equals("unknown")
                            ? Event.UNSETTLED
                            : Event.SETTLED,
                    "",
                    Integer.parseInt(value(ended.getHighCardinalityKeyValue("attempts"))),
                    write.from);
        }
    }

    private static String value(@Nullable KeyValue key) {
        return Objects.requireNonNull(key).getValue();
    }

    private static final class Watched {

        private final long from;
        private volatile boolean ambiguous;

        Watched(long from) {
            this.from = from;
        }
    }
}
