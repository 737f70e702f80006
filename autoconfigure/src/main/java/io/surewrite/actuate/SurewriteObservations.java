package io.surewrite.actuate;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.cql.FailureKind;
import io.surewrite.cql.WriteListener;
import io.surewrite.cql.WriteScope;
import io.surewrite.lease.AcquireOutcome;
import io.surewrite.lease.LeaseListener;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.unique.UniqueListener;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The observations of all features: spans in the caller's trace where traces are kept, timers where metrics are. Values are
 * no tags.
 *
 * <ul>
 *   <li>{@code surewrite.write} for each logical write, with an event for each failed attempt, around the driver's requests.
 *   <li>{@code surewrite.unique} for each call of the guard, with its requests in it, whichever threads send them.
 *   <li>{@code surewrite.lease} for each lease that is asked for, until it is acquired or not: how long it waited, and for
 *       which name.
 * </ul>
 *
 * @param registry hands the observations out
 */
public record SurewriteObservations(ObservationRegistry registry)
        implements WriteListener, UniqueListener, LeaseListener {

    /** Where Micrometer looks for the parent in Reactor's context. */
    private static final String CONTEXT_KEY = "micrometer.observation";

    @Override
    public WriteListener.Call started(String operation) {
        return new ObservedWrite(Observation.createNotStarted("surewrite.write", registry)
                .contextualName(operation)
                .lowCardinalityKeyValue("operation", operation)
                .start());
    }

    private record ObservedWrite(Observation observation) implements WriteListener.Call {

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
        public void ended(WriteListener.End end, int attempts) {
            observation.lowCardinalityKeyValue("end", end.name());
            observation.highCardinalityKeyValue("attempts", Integer.toString(attempts));
            observation.stop();
        }
    }

    @Override
    public UniqueListener.Call begun(String operation) {
        return registry.isNoop()
                ? UniqueListener.Call.NONE
                : new ObservedGuard(Observation.createNotStarted("surewrite.unique", registry)
                        .contextualName("unique " + operation)
                        .lowCardinalityKeyValue("operation", operation)
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

    @Override
    public Consumer<AcquireOutcome> asked(LeaseRequest request) {
        Observation observation = Observation.createNotStarted("surewrite.lease", registry)
                .contextualName("acquire lease")
                .highCardinalityKeyValue("name", request.name())
                .start();
        return outcome -> stop(observation, outcome);
    }

    private static void stop(Observation observation, Enum<?> outcome) {
        observation.lowCardinalityKeyValue(
                "outcome", outcome.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        observation.stop();
    }
}
