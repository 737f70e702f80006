package io.surewrite.alledeals.lab;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.alledeals.item.Item;
import io.surewrite.alledeals.lab.BadNetwork.Loss;
import io.surewrite.alledeals.purchase.PurchaseService;
import io.surewrite.alledeals.purchase.PurchaseService.Purchasing;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.stereotype.Component;

/** Buys while the network loses the first request or its answer, and looks at what the database says afterwards. */
@Component
class LostAnswers {

    private static final int UNITS = 10;
    private static final int QUANTITY = 2;

    private final LabShop shop;
    private final BadNetwork network;
    private final PurchaseService purchases;
    private final CqlSession session;

    LostAnswers(LabShop shop, BadNetwork network, PurchaseService purchases, CqlSession session) {
        this.shop = shop;
        this.network = network;
        this.purchases = purchases;
        this.session = session;
    }

    Report buyWhileLosing(Loss loss) {
        Item item = shop.listItem("A purchase with a timeout", UNITS);
        UUID id = Uuids.timeBased();
        UUID buyer = shop.buyer(0);
        network.lose(item.id(), List.of(loss));
        long start = System.nanoTime();
        Purchasing first;
        try {
            first = purchases.purchase(id, item.id(), buyer, QUANTITY);
        } finally {
            network.heal(item.id());
        }
        long millis = (System.nanoTime() - start) / 1_000_000;
        Purchasing again = purchases.purchase(id, item.id(), buyer, QUANTITY);
        Row row = session.execute(
                        "SELECT available_units, purchases FROM cass_master_item WHERE item_id = ?", item.id())
                .one();
        Map<UUID, Integer> bound = row == null ? Map.of() : row.getMap("purchases", UUID.class, Integer.class);
        return new Report(
                loss,
                item.id(),
                id,
                millis,
                first.isNew(),
                again.isNew(),
                row == null ? 0 : row.getInt("available_units"),
                bound == null ? Map.of() : bound);
    }

    /** What became of it. */
    record Report(
            Loss loss,
            UUID itemId,
            UUID purchaseId,
            long millis,
            boolean first,
            boolean again,
            int available,
            Map<UUID, Integer> purchases) {}
}
