package io.surewrite.cql;

import java.util.List;

/**
 * Hears what is known of the clocks, after each measurement. Called on the thread that measures: be quick. What it throws
 * is logged, once a minute at most, and changes nothing.
 */
@FunctionalInterface
public interface ClockListener {

    /**
     * Several listeners as one.
     *
     * @param listeners the listeners
     * @return calls them all, the first one first, and throws nothing
     */
    static ClockListener all(List<ClockListener> listeners) {
        GuardedListeners<ClockListener> guarded = GuardedListeners.of(listeners);
        return (session, report) -> guarded.tell(listener -> listener.measured(session, report));
    }

    /**
     * The clocks were measured.
     *
     * @param session the name of the session's bean
     * @param report what is known
     */
    void measured(String session, ClockReport report);
}
