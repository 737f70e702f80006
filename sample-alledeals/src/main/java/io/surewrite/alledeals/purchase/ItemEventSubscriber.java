package io.surewrite.alledeals.purchase;

import io.surewrite.alledeals.item.ItemService;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Brings the listings of an item up to date when some of it is sold. */
@Component
class ItemEventSubscriber {

    private final ItemService items;

    ItemEventSubscriber(ItemService items) {
        this.items = items;
    }

    @EventListener
    @Order(2)
    void updateListings(PurchaseBoundEvent event) {
        items.updateListings(event.purchase().itemId());
    }
}
