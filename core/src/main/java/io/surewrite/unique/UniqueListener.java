package io.surewrite.unique;

import io.surewrite.cql.GuardedListeners;
import io.surewrite.cql.WriteScope;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hears what happens to claims. Called on the threads that do the work: be quick, and do not call back. What a listener
 * throws is logged, once a minute at most, and changes nothing.
 */
public interface UniqueListener {

    /** Hears nothing. */
    UniqueListener NONE = new UniqueListener() {};

    /** How a call ended. */
    enum End {
        /** The row and its claims are as asked. */
        SUCCEEDED,
        /** Another row has a value. */
        DUPLICATE,
        /** Another write of a value is under way. */
        PENDING,
        /** The cluster gave no clear answer before the row was written; without effect. */
        UNAVAILABLE,
        /** Failed for another reason, without effect. */
        FAILED,
        /** Given up, the outcome unknown. */
        UNKNOWN,
        /** Another operation built on the row. */
        SUPERSEDED
    }

    /** How a takeover made sure that the former owner never shows the value. */
    enum Fence {
        /** The former owner's row was not there and was deleted at the claim's timestamp. */
        DELETED,
        /** The former owner's row has another value, which was written again above the claim's timestamp. */
        RESTORED,
        /** The former owner's row has another value with a newer timestamp; nothing had to be written. */
        DEAD_ALREADY
    }

    /** One call of the guard. */
    @FunctionalInterface
    interface Call {

        /** Hears nothing. */
        Call NONE = end -> {};

        /**
         * The call ended; nothing is called after this.
         *
         * @param end how
         */
        void ended(End end);

        /**
         * Makes the call current on this thread while a request of it is sent, for tracing: that may be any thread.
         *
         * @return to be closed by the same thread
         */
        default WriteScope.Opened stepStarted() {
            return WriteScope.Opened.NOTHING;
        }
    }

    /**
     * A call begins, on its caller's thread.
     *
     * @param operation {@code insert}, {@code change}, {@code overwrite}, {@code claim} or {@code delete}
     * @param table the name, with its keyspace, of the table whose row it is about; null if it is about none
     * @return hears what becomes of the call, on any thread
     */
    default Call begun(String operation, @Nullable String table) {
        return Call.NONE;
    }

    /**
     * A call ended.
     *
     * @param operation as it began
     * @param end how
     * @param took how long it took
     */
    default void ended(String operation, End end, Duration took) {}

    /**
     * A claim was made or renewed.
     *
     * @param constraint the constraint's name
     */
    default void claimed(String constraint) {}

    /**
     * A value was found taken by another row.
     *
     * @param constraint the constraint's name
     */
    default void duplicate(String constraint) {}

    /**
     * A claim of a writer that did not finish was taken over.
     *
     * @param constraint the constraint's name
     * @param fence how its late write was stopped
     */
    default void takenOver(String constraint, Fence fence) {}

    /**
     * {@return one listener that calls all of these and throws nothing}
     *
     * @param listeners the listeners, in this order
     */
    static UniqueListener all(List<UniqueListener> listeners) {
        List<UniqueListener> hearing =
                listeners.stream().filter(listener -> listener != NONE).toList();
        if (hearing.isEmpty()) {
            return NONE;
        }
        return hearing.size() == 1 && hearing.get(0) instanceof UniqueListeners guarded
                ? guarded
                : new UniqueListeners(GuardedListeners.of(hearing));
    }
}
