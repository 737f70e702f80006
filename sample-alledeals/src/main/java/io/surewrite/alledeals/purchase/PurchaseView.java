package io.surewrite.alledeals.purchase;

import io.surewrite.alledeals.item.Item;
import io.surewrite.alledeals.web.Euro;
import io.surewrite.alledeals.web.TimeIds;
import java.math.BigDecimal;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * A purchase in the words of a page.
 *
 * @param isCompleted whether it stays
 */
record PurchaseView(
        UUID id,
        UUID itemId,
        String itemName,
        int quantity,
        String price,
        String total,
        String when,
        boolean isCompleted) {

    private static final DateTimeFormatter WHEN =
            DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.UK).withZone(ZoneOffset.UTC);

    static PurchaseView of(Purchase purchase, Optional<Item> item) {
        return of(
                purchase.id(),
                purchase.itemId(),
                item,
                purchase.quantity(),
                purchase.unitPrice(),
                purchase.isCompleted());
    }

    static PurchaseView of(UserPurchase purchase, Optional<Item> item) {
        return of(purchase.purchaseId(), purchase.itemId(), item, purchase.quantity(), purchase.unitPrice(), true);
    }

    private static PurchaseView of(
            UUID id, UUID itemId, Optional<Item> item, int quantity, BigDecimal unitPrice, boolean isCompleted) {
        return new PurchaseView(
                id,
                itemId,
                item.map(Item::name).orElse("An item"),
                quantity,
                Euro.text(unitPrice),
                Euro.text(unitPrice.multiply(BigDecimal.valueOf(quantity))),
                WHEN.format(TimeIds.instantOf(id)),
                isCompleted);
    }
}
