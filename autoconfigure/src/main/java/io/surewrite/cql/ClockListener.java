package io.surewrite.cql;

/** Hears what is known of the clocks, after each measurement. Called on the thread that measures: be quick. */
@FunctionalInterface
public interface ClockListener {

    /**
     * The clocks were measured.
     *
     * @param session the name of the session's bean
     * @param report what is known
     */
    void measured(String session, ClockReport report);
}
