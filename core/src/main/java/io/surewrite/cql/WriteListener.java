package io.surewrite.cql;

import java.util.List;
import java.util.Map;

/**
 * Hears what becomes of logical writes: for metrics, traces and logs. Implementations are quick; they are called on the
 * caller's thread, on the driver's or on a scheduler's. What they throw is logged, once a minute at most, and changes
 * nothing.
 */
@FunctionalInterface
public interface WriteListener {

    /** Hears nothing. */
    WriteListener NONE = operation -> Call.NONE;

    /**
     * Several listeners as one.
     *
     * @param listeners the listeners
     * @return calls them all, the first one first, and throws nothing
     */
    static WriteListener all(List<WriteListener> listeners) {
        List<WriteListener> hearing =
                listeners.stream().filter(listener -> listener != NONE).toList();
        if (hearing.isEmpty()) {
            return NONE;
        }
        return hearing.size() == 1 && hearing.get(0) instanceof WriteListeners guarded
                ? guarded
                : new WriteListeners(GuardedListeners.of(hearing));
    }

    /**
     * A listener of the writes to one table, made once for each method that writes to it. Unless it is overridden, this one.
     *
     * @param table the table's name with its keyspace
     * @return hears of these writes
     */
    default WriteListener about(String table) {
        return this;
    }

    /**
     * A logical write begins.
     *
     * @param operation its name, of low cardinality and without values, such as {@code UserRepository.save}
     * @return hears what becomes of it
     */
    Call started(String operation);

    /**
     * A circuit breaker changed its state.
     *
     * @param circuit the name of the circuit breaker
     * @param state the new state, in capitals
     */
    default void circuitChanged(String circuit, String state) {}

    /**
     * A circuit breaker was made, and is closed.
     *
     * @param circuit its name
     */
    default void circuitMade(String circuit) {}

    /** How a logical write ended. */
    enum End {
        /** Done. */
        SUCCEEDED,
        /** The condition of a conditional write did not hold. */
        REJECTED,
        /** Given up for now, and kept on disk until the cluster takes it. */
        KEPT,
        /** Failed in a way that no repetition fixes. */
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
            return WriteScope.Opened.NOTHING;
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
