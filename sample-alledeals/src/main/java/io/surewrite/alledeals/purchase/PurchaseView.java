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

/** A purchase in the words of a page. */
record PurchaseView(UUID id, UUID itemId, String itemName, int quantity, BigDecimal unitPrice, boolean isCompleted) {

    private static final DateTimeFormatter WHEN =
            DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.UK).withZone(ZoneOffset.UTC);

    static PurchaseView of(Purchase bought, Optional<Item> item) {
        String name = item.map(Item::name).orElse("An item");
        return new PurchaseView(
                bought.id(), bought.itemId(), name, bought.quantity(), bought.unitPrice(), bought.isCompleted());
    }

    static PurchaseView of(UserPurchase bought, Optional<Item> item) {
        String name = item.map(Item::name).orElse("An item");
        return new PurchaseView(
                bought.purchaseId(), bought.itemId(), name, bought.quantity(), bought.unitPrice(), true);
    }

    public String price() {
        return Euro.text(unitPrice);
    }

    public String total() {
        return Euro.text(unitPrice.multiply(BigDecimal.valueOf(quantity)));
    }

    public String when() {
        return WHEN.format(TimeIds.instantOf(id));
    }
}
