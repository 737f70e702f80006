package io.surewrite.alledeals.item;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.alledeals.ShopTest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;

/** Oracles 2 and 9: what one listing fills, and how it is found again. */
class ListingApiIntegrationTests extends ShopTest {

    private static final int MONTH_OF_SECONDS = (int) Duration.ofDays(30).toSeconds();

    @Autowired
    private CqlSession session;

    private UUID seller;

    @BeforeEach
    void registerASeller() {
        seller = registered("seller");
    }

    @Test
    void oracle2OneListingFillsMasterUserHistoryAndTagTables() {
        String tag = uniqueTag();
        Map<String, Object> item = item(seller);
        item.put("tags", List.of(tag, tag + "-2"));

        UUID id = listed(item);

        Row master = row("SELECT * FROM cass_master_item WHERE item_id = ?", id);
        assertThat(master.getInt("available_units")).isEqualTo(master.getInt("offered_units"));
        assertThat(master.getSet("tags", String.class)).containsExactlyInAnyOrder(tag, tag + "-2");
        for (String path : List.of(
                "/api/users/" + seller + "/items",
                "/api/users/" + seller + "/items/history/" + monthOfNow(),
                "/api/tags/" + tag + "/items",
                "/api/tags/" + tag + "-2/items")) {
            assertThat(items(path))
                    .singleElement()
                    .satisfies(listed -> assertThat(listed)
                            .containsEntry("itemId", id.toString())
                            .containsAllEntriesOf(Map.of("name", "Brass lamp", "unitPrice", 49.9))
                            .containsAllEntriesOf(Map.of("availableUnits", 10, "finished", false))
                            .containsKey("endDate"));
        }
        assertThat(session.execute("SELECT tag FROM cass_tag_item WHERE item_id = " + id + " ALLOW FILTERING")
                        .map(row -> row.getString(0)))
                .containsExactlyInAnyOrder(tag, tag + "-2");
        assertThat(ttl("cass_user_item", "user_id = ?", seller)).isBetween(MONTH_OF_SECONDS - 60, MONTH_OF_SECONDS);
        assertThat(ttl("cass_tag_item", "tag = ?", tag)).isBetween(MONTH_OF_SECONDS - 60, MONTH_OF_SECONDS);
        assertThat(ttl("cass_user_item_history", "user_id = ? AND year_month = ?", seller, monthOfNow()))
                .isNull();
        assertThat(ttl("cass_master_item", "item_id = ?", id)).isNull();
    }

    @Test
    void oracle9TakesTheMonthFromTheItemsIdInUtc() {
        Instant lastMoment = Instant.parse("2025-12-31T23:59:59.999Z");
        UUID december = idOf(lastMoment);
        UUID january = idOf(lastMoment.plusMillis(1));
        put("/api/items/" + december, item(seller)).expectStatus().isCreated();
        put("/api/items/" + january, item(seller)).expectStatus().isCreated();

        assertThat(ids("/api/users/" + seller + "/items/history/2025-12")).containsExactly(december.toString());
        assertThat(ids("/api/users/" + seller + "/items/history/2026-01")).containsExactly(january.toString());
        assertThat(ids("/api/users/" + seller + "/items/history/2026-02")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/api/users/{seller}/items", "/api/users/{seller}/items/history/{month}", "/api/tags/{tag}/items"
            })
    void oracle9PagesTheNewestFirst(String list) {
        String tag = uniqueTag();
        List<Object> listed = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            Map<String, Object> item = item(seller);
            item.put("tags", List.of(tag));
            listed.add(0, listed(item).toString());
        }
        String path = list.replace("{seller}", seller.toString())
                .replace("{month}", monthOfNow())
                .replace("{tag}", tag);

        assertThat(everyPage(path + "?size=3", "cursor", "itemId")).isEqualTo(listed);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/users/nobody/items, malformed-request, id",
        "/api/users/{seller}/items?size=0, invalid-request, size",
        "/api/users/{seller}/items?size=101, invalid-request, size",
        "/api/users/{seller}/items/history/2026-13, malformed-request, month",
        "/api/users/{seller}/items?cursor=AAAA, invalid-request, cursor",
        "/api/tags/Upper/items, invalid-request, tag",
    })
    void refusesABadListAndNamesWhatIsWrong(String path, String type, String field) {
        ResponseSpec answer = get(path.replace("{seller}", seller.toString()));
        refused(answer, 400, type, field);
    }

    private String monthOfNow() {
        return Instant.now().toString().substring(0, 7);
    }

    private static String uniqueTag() {
        return "t" + Long.toString(System.nanoTime(), 36);
    }

    private static UUID idOf(Instant moment) {
        return new UUID(
                Uuids.startOf(moment.toEpochMilli()).getMostSignificantBits(),
                Uuids.timeBased().getLeastSignificantBits());
    }

    private Integer ttl(String table, String key, Object... values) {
        return row("SELECT ttl(auction_finished) FROM " + table + " WHERE " + key, values)
                .get(0, Integer.class);
    }

    private Row row(String query, Object... values) {
        return session.execute(query, values).one();
    }

    private List<Object> ids(String path) {
        return items(path).stream().map(item -> item.get("itemId")).toList();
    }

    @SuppressWarnings("unchecked") // what JSON is like
    private List<Map<String, Object>> items(String path) {
        return (List<Map<String, Object>>) json(path).get("items");
    }
}
