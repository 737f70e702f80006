package io.surewrite.verification.hotitem;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.verification.faults.ShopInstance;
import io.surewrite.verification.faults.ShopInstance.Answer;
import java.util.UUID;

/**
 * The sample shop's own service, as its REST interface and its pages call it. When it answers, the purchase is checked
 * (the id, the item, its end, the buyer), saved with a TTL of a day, noted for the reconciler, bound to the item,
 * completed without a TTL, among those of its buyer, and shown in the item's listings by user, month and tag.
 */
final class ShopCounter implements Counter {

    private static final UUID SELLER = new UUID(0x4000L, 0x8000_0000_0000_0000L);

    private final ShopInstance shop;

    ShopCounter(ShopInstance shop, int buyers) {
        this.shop = shop;
        shop.register(SELLER, "seller");
        for (int buyer = 0; buyer < buyers; buyer++) {
            shop.register(user(buyer), "buyer" + buyer);
        }
    }

    @Override
    public UUID list(int units) {
        UUID id = Uuids.timeBased();
        shop.list(id, SELLER, units);
        return id;
    }

    @Override
    public boolean buy(UUID item, int buyer) {
        UUID purchase = Uuids.timeBased();
        Answer answer;
        do {
            answer = shop.buy(purchase, item, user(buyer), 1);
        } while (answer == Answer.UNKNOWN);
        return answer == Answer.BOUGHT;
    }

    private static UUID user(int number) {
        return new UUID(0x4000L, 0x8000_0000_0000_0001L + number);
    }
}
