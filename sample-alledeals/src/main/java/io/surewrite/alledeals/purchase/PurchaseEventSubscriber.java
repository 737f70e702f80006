package io.surewrite.alledeals.purchase;

import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Completes a purchase when it is bound, together with others that are bound at the same time. */
@Component
class PurchaseEventSubscriber {

    private final Gathering<Purchase> completing;

    PurchaseEventSubscriber(PurchaseRepository purchases) {
        this.completing = new Gathering<>(
                PurchaseService.GROUPS_AT_ONCE, PurchaseService.LARGEST_GROUP, purchases::completePurchases);
    }

    @EventListener
    @Order(1)
    void complete(PurchaseBoundEvent event) {
        completing.run(event.purchase());
    }
}
