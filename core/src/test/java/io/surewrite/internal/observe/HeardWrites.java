package io.surewrite.internal.observe;

import io.micrometer.observation.Observation;
import java.util.List;
import java.util.Locale;

/** Hears of writes: {@code op begins}, {@code attempt 1: unknown}, {@code UNKNOWN after 3}. */
public final class HeardWrites extends HeardObservations {

    private final List<String> heard;

    public HeardWrites(List<String> heard) {
        this.heard = heard;
    }

    @Override
    public void onStart(Observation.Context context) {
        heard.add(low(context, "operation") + " begins");
    }

    @Override
    public void onEvent(Observation.Event event, Observation.Context context) {
        if (event.getName().equals("attempt.failed")) {
            heard.add(event.getContextualName());
        }
    }

    @Override
    public void onStop(Observation.Context context) {
        heard.add(outcome(context).toUpperCase(Locale.ROOT) + " after " + high(context, "attempts"));
    }
}
