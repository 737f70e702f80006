package io.surewrite.cql;

import java.util.List;
import java.util.Map;

/**
 * Hears what becomes of logical writes: for metrics, traces and logs. Implementations are quick and throw nothing; they
 * are called on the caller's thread, on the driver's or on a scheduler's.
 */
@FunctionalInterface
public interface WriteListener {

    /** Hears nothing. */
    WriteListener NONE = operation -> Call.NONE;

    /**
     * Hears with many ears.
     *
     * @param listeners who hears
     * @return tells them all, the first one first
     */
    static WriteListener all(List<WriteListener> listeners) {
        return listeners.size() == 1 ? listeners.get(0) : new WriteListeners(List.copyOf(listeners));
    }

    /**
     * A logical write begins.
     *
     * @param operation its name, of low cardinality and without values, such as {@code UserRepository.save}
     * @return hears what becomes of it
     */
    Call started(String operation);

    /**
     * The circuit breaker changed its state.
     *
     * @param state the new state, in capitals
     */
    default void circuitChanged(String state) {}

    /** How a logical write ended. */
    enum End {
        /** Done. */
        SUCCEEDED,
        /** The condition of a conditional write did not hold. */
        REJECTED,
        /** Given up for now, and kept on disk until the cluster takes it. */
        KEPT,
        /** Failed in a way that no repetition mends. */
        FAILED,
        /** Given up, without effect. */
        EXHAUSTED,
        /** Given up, the outcome unknown. */
        UNKNOWN
    }

    /** One logical write. */
    interface Call {

        /** Hears nothing. */
        Call NONE = new Call() {};

        /**
         * What the context of a reactive write needs, for tracing.
         *
         * @return entries for Reactor's context
         */
        default Map<?, ?> reactorContext() {
            return Map.of();
        }

        /**
         * Makes the call current on this thread while an attempt is started, for tracing.
         *
         * @return to be closed by the same thread
         */
        default WriteScope.Opened attemptStarted() {
            return () -> {};
        }

        /**
         * An attempt failed.
         *
         * @param attempt its number, from 1
         * @param kind what the failure means
         * @param failure the failure
         */
        default void attemptFailed(int attempt, FailureKind kind, Throwable failure) {}

        /**
         * The write ended; nothing is called after this.
         *
         * @param end how
         * @param attempts how many attempts were made
         */
        default void ended(End end, int attempts) {}
    }
}
