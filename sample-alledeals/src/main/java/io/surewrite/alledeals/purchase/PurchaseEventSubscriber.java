package io.surewrite.alledeals.purchase;

import io.surewrite.alledeals.web.Gathering;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Completes a purchase when it is bound, together with others that are bound at the same time. */
@Component
class PurchaseEventSubscriber {

    private final Gathering<String, Purchase> completing;

    PurchaseEventSubscriber(PurchaseRepository purchases) {
        this.completing = new Gathering<>(
                PurchaseService.GROUPS_AT_ONCE,
                PurchaseService.LARGEST_GROUP,
                (same, group) -> purchases.completePurchases(group));
    }

    @EventListener
    @Order(1)
    void complete(PurchaseBoundEvent event) {
        completing.run("", event.purchase());
    }
}
