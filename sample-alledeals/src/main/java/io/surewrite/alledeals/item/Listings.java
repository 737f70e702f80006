package io.surewrite.alledeals.item;

import static io.surewrite.retry.Idempotent.WhenExhausted.BACKLOG;

import io.surewrite.retry.Idempotent;
import java.util.Optional;
import java.util.UUID;

/** How the listings follow the master table. */
interface Listings {

    /**
     * Reads an item for its listings.
     *
     * @return its last state, or empty if there is no such item
     */
    @Idempotent
    Optional<State> lastState(UUID itemId);

    /**
     * Writes every listing of an item in one batch. The batch carries the write time of the master's stock: run twice it
     * changes nothing, and run late it never covers what a newer one wrote. So it may wait in the backlog while the
     * database is away. A listing that has expired stays away; the history always follows.
     *
     * @param state the item as it stood
     */
    @Idempotent(whenExhausted = BACKLOG)
    void write(State state);

    /**
     * Compares the listings with the master row.
     *
     * @return whether they show its last state, or there is no such item
     */
    boolean areUpToDate(UUID itemId);

    /**
     * An item as it stood.
     *
     * @param version the write time of its stock, in microseconds: later states have later ones
     */
    record State(Item item, long version) {}
}
