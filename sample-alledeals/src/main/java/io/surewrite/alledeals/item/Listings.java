package io.surewrite.alledeals.item;

import io.surewrite.retry.Idempotent;
import java.util.UUID;

/** How the listings follow the master table. */
interface Listings {

    /**
     * Writes every listing of an item as the master row stands, in one batch. The batch carries the write time of the
     * master's stock: run twice it changes nothing, and run late it never covers what a newer one wrote. A listing that
     * has expired stays away; the history always follows.
     *
     * @param itemId the item; nothing happens if there is none
     */
    @Idempotent
    void updateListings(UUID itemId);

    /**
     * Compares the listings with the master row.
     *
     * @param itemId the item
     * @return whether they show its last state, or there is no such item
     */
    boolean areUpToDate(UUID itemId);
}
