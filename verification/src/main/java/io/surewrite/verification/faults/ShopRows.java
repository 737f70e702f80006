package io.surewrite.verification.faults;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.uuid.Uuids;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
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

    /**
     * An item as one of the listings shows it.
     *
     * @param available how many are left
     * @param finished whether it is said to be sold out
     */
    record Listing(int available, boolean finished) {}

    /** {@return what the listings of an item show, each by its name; nothing where it is not listed} */
    Map<String, Optional<Listing>> listings(UUID item, UUID seller) {
        YearMonth month =
                YearMonth.from(Instant.ofEpochMilli(Uuids.unixTimestamp(item)).atOffset(ZoneOffset.UTC));
        String select = "SELECT available_units, auction_finished FROM ";
        Map<String, Optional<Listing>> listings = new LinkedHashMap<>();
        listings.put("user", listing(select + "cass_user_item WHERE user_id = ? AND item_id = ?", seller, item));
        listings.put("tag", listing(select + "cass_tag_item WHERE tag = ? AND item_id = ?", ShopInstance.TAG, item));
        listings.put(
                "month",
                listing(
                        select + "cass_user_item_history WHERE user_id = ? AND year_month = ? AND item_id = ?",
                        seller,
                        month.toString(),
                        item));
        return listings;
    }

    private Optional<Listing> listing(String query, Object... values) {
        return Optional.ofNullable(one(query, values)).map(row -> new Listing(row.getInt(0), row.getBoolean(1)));
    }

    /**
     * A purchase.
     *
     * @param quantity how many units
     * @param status of it
     * @param expires whether any cell of it has a time to live
     * @param buyersOwn the quantity among the purchases of its buyer; null if it is not there
     */
    record Purchase(
            int quantity,
            @Nullable String status,
            boolean expires,
            @Nullable Integer buyersOwn) {}

    Optional<Purchase> purchase(UUID id) {
        return Optional.ofNullable(one(
                        "SELECT user_id, quantity, status, ttl(status), ttl(item_id), ttl(user_id), ttl(unit_price), ttl(quantity)"
                                + " FROM cass_master_purchase WHERE purchase_id = ?",
                        id))
                .map(row -> {
                    Row own = one(
                            "SELECT quantity FROM cass_user_purchase WHERE user_id = ? AND purchase_id = ?",
                            Objects.requireNonNull(row.getUuid(0)),
                            id);
                    return new Purchase(
                            row.getInt(1),
                            row.getString(2),
                            IntStream.range(3, 8).anyMatch(cell -> !row.isNull(cell)),
                            own == null ? null : own.getInt(0));
                });
    }

    private @Nullable Row one(String query, Object... values) {
        return one(ConsistencyLevel.QUORUM, query, values);
    }

    private @Nullable Row one(ConsistencyLevel consistency, String query, Object... values) {
        return session.execute(SimpleStatement.newInstance(query, values).setConsistencyLevel(consistency))
                .one();
    }
}
