package io.surewrite.alledeals.item;

import io.surewrite.alledeals.begun.Unfinished;
import java.time.Instant;
import org.springframework.stereotype.Component;

/** Items that are in the master table but not, or not as they stand, in the listings. */
@Component
class UnfinishedListings implements Unfinished {

    private final BegunItemRepository begun;
    private final ItemService items;

    UnfinishedListings(BegunItemRepository begun, ItemService items) {
        this.begun = begun;
        this.items = items;
    }

    @Override
    public int finish(Instant bucket) {
        return Math.toIntExact(begun.findByBucket(bucket).stream()
                .filter(item -> items.catchUpListings(item.itemId()))
                .count());
    }
}
