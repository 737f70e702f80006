package io.surewrite.alledeals.item;

import java.util.Optional;

/** How an item comes into the master table. */
interface NewItems {

    /**
     * Creates the item if its id is free, in one lightweight transaction. Running it again is safe: it finds what the
     * first run wrote.
     *
     * @param item the item
     * @return the item that has this id already and still has it, or empty if this one was created
     */
    Optional<Item> createIfAbsent(Item item);
}
