package io.surewrite.verification.faults;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.retry.TimeUuids;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the tables of the sample shop say, read past the shop.
 *
 * @param session where they are
 */
record ShopRows(CqlSession session) {

    /**
     * An item, as the master table has it when all conditional updates have ended.
     *
     * @param seller who sells it
     * @param offered how many were offered
     * @param available how many are left
     * @param finished whether it is said to be sold out
     * @param purchases how many went to whom
     */
    record Stock(UUID seller, int offered, int available, boolean finished, Map<UUID, Integer> purchases) {}

    Optional<Stock> stock(UUID item) {
        return Optional.ofNullable(one(
                        ConsistencyLevel.SERIAL,
                        "SELECT user_id, offered_units, available_units, auction_finished, purchases"
                                + " FROM cass_master_item WHERE item_id = ?",
                        item))
                .map(row -> new Stock(
                        Objects.requireNonNull(row.getUuid(0)),
                        row.getInt(1),
                        row.getInt(2),
                        row.getBoolean(3),
                        Objects.requireNonNull(row.getMap(4, UUID.class, Integer.class))));
    }

    /** What is wrong with the listings of an item: they all show it as it stands, or none of them at all. */
    List<String> wrongListings(UUID item, UUID seller, Optional<Stock> stock) {
        List<String> wrong = new ArrayList<>();
        YearMonth month = YearMonth.from(TimeUuids.instantOf(item).atOffset(ZoneOffset.UTC));
        String select = "SELECT available_units, auction_finished FROM ";
        Map<String, @Nullable Row> listings = new LinkedHashMap<>();
        listings.put("user", one(select + "cass_user_item WHERE user_id = ? AND item_id = ?", seller, item));
        listings.put("tag", one(select + "cass_tag_item WHERE tag = ? AND item_id = ?", ShopInstance.TAG, item));
        listings.put(
                "month",
                one(
                        select + "cass_user_item_history WHERE user_id = ? AND year_month = ? AND item_id = ?",
                        seller,
                        month.toString(),
                        item));
        listings.forEach((by, row) -> {
            boolean right = row == null
                    ? stock.isEmpty()
                    : stock.filter(now -> now.available() == row.getInt(0) && now.finished() == row.getBoolean(1))
                            .isPresent();
            if (!right) {
                wrong.add("%s: its listing by %s shows %s, the item is %s"
                        .formatted(item, by, row == null ? "nothing" : row.getFormattedContents(), stock));
            }
        });
        return wrong;
    }

    /** What is wrong with a purchase whose units are taken: it stays, every cell of it, and its buyer has it. */
    List<String> wrongPurchase(UUID purchase, int quantity) {
        Row row = one(
                "SELECT user_id, quantity, status, ttl(status), ttl(item_id), ttl(user_id), ttl(unit_price), ttl(quantity)"
                        + " FROM cass_master_purchase WHERE purchase_id = ?",
                purchase);
        if (row == null) {
            return List.of(purchase + " is not there");
        }
        boolean right = row.getInt(1) == quantity && "COMPLETED".equals(row.getString(2));
        for (int cell = 3; cell < 8; cell++) {
            right &= row.isNull(cell);
        }
        Row own = one(
                "SELECT quantity FROM cass_user_purchase WHERE user_id = ? AND purchase_id = ?",
                Objects.requireNonNull(row.getUuid(0)),
                purchase);
        return right && own != null && own.getInt(0) == quantity
                ? List.of()
                : List.of("%s is not completed: %s, its buyer has %s"
                        .formatted(
                                purchase,
                                row.getFormattedContents(),
                                own == null ? "nothing" : own.getFormattedContents()));
    }

    private @Nullable Row one(String query, Object... values) {
        return one(ConsistencyLevel.QUORUM, query, values);
    }

    private @Nullable Row one(ConsistencyLevel consistency, String query, Object... values) {
        return session.execute(SimpleStatement.newInstance(query, values).setConsistencyLevel(consistency))
                .one();
    }
}
