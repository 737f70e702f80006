package io.surewrite.alledeals.purchase;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.alledeals.ShopTest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

/** A test with a seller, a buyer and a look behind the counter. */
abstract class PurchaseTest extends ShopTest {

    @Autowired
    protected CqlSession session;

    protected final UUID id = Uuids.timeBased();
    protected UUID seller;
    protected UUID buyer;

    @BeforeEach
    void registerSellerAndBuyer() {
        seller = registered("seller");
        buyer = registered("buyer");
    }

    /** Buys as the interface asks for it: while nobody knows the outcome, the same request again. */
    protected int buyUntilAnswered(RestTestClient shop, UUID item, UUID purchase, int quantity) {
        while (true) {
            int status = shop.put()
                    .uri("/api/items/%s/purchases/%s".formatted(item, purchase))
                    .contentType(MediaType.APPLICATION_JSON)
                    .body(Map.of("buyerId", buyer.toString(), "quantity", quantity))
                    .exchange()
                    .returnResult(String.class)
                    .getStatus()
                    .value();
            if (status != HttpStatus.SERVICE_UNAVAILABLE.value()) {
                return status;
            }
        }
    }

    protected interface Buyer {
        int buy(int number);
    }

    /** What all are answered who buy at the same time. */
    protected static List<Integer> atOnce(int buyers, Buyer buyer) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(buyers);
        try {
            List<Callable<Integer>> all = IntStream.range(0, buyers)
                    .<Callable<Integer>>mapToObj(number -> () -> buyer.buy(number))
                    .toList();
            List<Integer> answers = new ArrayList<>();
            for (Future<Integer> answer : threads.invokeAll(all)) {
                answers.add(answer.get());
            }
            return answers;
        } finally {
            threads.shutdownNow();
        }
    }

    /** Oracle 5: so many bought, all others were clearly refused. */
    protected static void assertSold(List<Integer> answers, int sold) {
        assertThat(answers).isSubsetOf(200, 201, 409);
        assertThat(answers).filteredOn(status -> status != 409).hasSize(sold);
    }

    protected Row master(UUID itemId) {
        return session.execute("SELECT * FROM cass_master_item WHERE item_id = ?", itemId)
                .one();
    }

    protected Map<UUID, Integer> purchasesOf(UUID itemId) {
        return master(itemId).getMap("purchases", UUID.class, Integer.class);
    }

    /** Oracle: whatever happens, no unit is lost and none is sold twice. */
    protected void assertBalanced(UUID itemId) {
        Row item = master(itemId);
        int sold = purchasesOf(itemId).values().stream()
                .mapToInt(Integer::intValue)
                .sum();
        assertThat(item.getInt("available_units")).isNotNegative();
        assertThat(item.getInt("available_units") + sold).isEqualTo(item.getInt("offered_units"));
        assertThat(item.getBoolean("auction_finished")).isEqualTo(item.getInt("available_units") == 0);
    }

    /** Master, user's, tag's and history's row show the same. */
    protected void assertEverywhere(UUID itemId, int available, boolean finished) {
        String month =
                Instant.ofEpochMilli(Uuids.unixTimestamp(itemId)).toString().substring(0, 7);
        for (String from : List.of(
                "cass_master_item WHERE item_id = " + itemId,
                "cass_user_item WHERE user_id = %s AND item_id = %s".formatted(seller, itemId),
                "cass_tag_item WHERE tag = 'lamp' AND item_id = " + itemId,
                "cass_user_item_history WHERE user_id = %s AND year_month = '%s' AND item_id = %s"
                        .formatted(seller, month, itemId))) {
            Row row = session.execute("SELECT available_units, auction_finished FROM " + from)
                    .one();
            assertThat(row.getInt(0)).as(from).isEqualTo(available);
            assertThat(row.getBoolean(1)).as(from).isEqualTo(finished);
        }
    }

    protected void assertCompleted(UUID purchaseId) {
        Row purchase = session.execute(
                        "SELECT status, ttl(status), ttl(item_id), ttl(user_id), ttl(unit_price), ttl(quantity)"
                                + " FROM cass_master_purchase WHERE purchase_id = ?",
                        purchaseId)
                .one();
        assertThat(purchase.getString("status")).isEqualTo("COMPLETED");
        for (int cell = 1; cell < 6; cell++) {
            assertThat(purchase.isNull(cell))
                    .as(purchase.getColumnDefinitions().get(cell).getName().asInternal())
                    .isTrue();
        }
    }

    /** All that is stored about a purchase, with the times it was written. */
    protected String contents(UUID purchaseId) {
        return session.execute(
                                "SELECT purchase_id, item_id, user_id, unit_price, quantity, status, writetime(status),"
                                        + " writetime(quantity) FROM cass_master_purchase WHERE purchase_id = ?",
                                purchaseId)
                        .one()
                        .getFormattedContents()
                + session.execute(
                                "SELECT purchase_id, item_id, unit_price, quantity, writetime(quantity)"
                                        + " FROM cass_user_purchase WHERE user_id = ? AND purchase_id = ?",
                                buyer,
                                purchaseId)
                        .one()
                        .getFormattedContents();
    }
}
