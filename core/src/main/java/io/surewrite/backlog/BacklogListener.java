package io.surewrite.backlog;

import java.time.Duration;

/**
 * Receives what has become of writes that were reported as kept, so that the application can tell its users. Implementations are
 * quick: they are called on threads of the backlog. They do not wait for the backlog, which would wait for them: such a call ends
 * at once in an {@link io.surewrite.write.UnknownOutcomeException}. What they throw is logged, once a minute at most, and changes
 * nothing. A write that is done, or dropped, again after a crash is told again.
 */
public interface BacklogListener {

    /**
     * A kept write is done.
     *
     * @param operation what it is for
     * @param waited how long after its decision
     */
    default void replayed(String operation, Duration waited) {}

    /** All that a kept write would have written has expired before it could be done: it is dropped. */
    default void expired(String operation) {}

    /** A kept write was given up. */
    default void died(DeadLetter letter) {}
}
