package io.surewrite.backlog;

import java.time.Duration;

/**
 * Hears what becomes of writes that are kept. Implementations are quick: they are called on threads of the backlog. They do not
 * wait for the backlog, which would wait for them: such a call ends at once in an
 * {@link io.surewrite.cql.UnknownOutcomeException}. What they throw is logged, once a minute at most, and changes nothing.
 */
public interface BacklogListener {

    /**
     * The backlog was opened, as at the start of an application.
     *
     * @param size what is in it from before
     */
    default void opened(BacklogSize size) {}

    /** Nothing waits any more, of what was kept: it is done, or expired, or a dead letter. */
    default void drained() {}

    /**
     * The backlog is about to be closed, as at the end of an application.
     *
     * @param size what is in it, and is done after it is opened again
     */
    default void closed(BacklogSize size) {}

    /**
     * A write is durable, and neither done nor failed.
     *
     * @param operation what it is for
     */
    default void kept(String operation) {}

    /**
     * A write could not be kept: its caller gets the failure it had.
     *
     * @param operation what it is for
     * @param why what kept it from being kept
     */
    default void notKept(String operation, Throwable why) {}

    /**
     * A kept write is done.
     *
     * @param operation what it is for
     * @param waited how long after its decision
     */
    default void replayed(String operation, Duration waited) {}

    /**
     * All that a kept write would have written has expired before it could be done: it is dropped.
     *
     * @param operation what it is for
     */
    default void expired(String operation) {}

    /**
     * A kept write was given up.
     *
     * @param letter what is known of it
     */
    default void died(DeadLetter letter) {}
}
