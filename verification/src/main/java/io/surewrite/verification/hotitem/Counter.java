package io.surewrite.verification.hotitem;

import java.util.UUID;

/** Where an item is listed and bought. */
interface Counter {

    /** Lists an item of so many units. */
    UUID list(int units);

    /** Buys one unit; answers whether there was one. */
    boolean buy(UUID item, int buyer);
}
