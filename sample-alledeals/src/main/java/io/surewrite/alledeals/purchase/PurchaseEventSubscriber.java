package io.surewrite.alledeals.purchase;

import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Completes a purchase when it is bound. */
@Component
class PurchaseEventSubscriber {

    private final PurchaseRepository purchases;

    PurchaseEventSubscriber(PurchaseRepository purchases) {
        this.purchases = purchases;
    }

    @EventListener
    @Order(1)
    void complete(PurchaseBoundEvent event) {
        purchases.completePurchase(event.purchase());
    }
}
