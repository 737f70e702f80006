package io.surewrite.alledeals.purchase;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpHeaders;

/** Oracles 3, 4 and 5: buying, once and under contention. */
class PurchaseApiIntegrationTests extends PurchaseTest {

    @Test
    void oracle3BuyingTwoOfTenLeavesEightEverywhere() {
        UUID item = listed(seller, 10);

        buy(item, id, buyer, 2)
                .expectStatus()
                .isCreated()
                .expectHeader()
                .valueEquals(HttpHeaders.LOCATION, "/api/purchases/" + id)
                .expectBody()
                .jsonPath("$.status")
                .isEqualTo("COMPLETED");

        assertThat(purchasesOf(item)).isEqualTo(Map.of(id, 2));
        assertEverywhere(item, 8, false);
        assertBalanced(item);
    }

    @Test
    void oracle3TheSamePurchaseAgainChangesNothing() {
        UUID item = listed(seller, 10);
        buy(item, id, buyer, 2).expectStatus().isCreated();
        String before = contents(id);

        buy(item, id, buyer, 2).expectStatus().isOk();

        assertThat(contents(id)).isEqualTo(before);
        assertThat(purchasesOf(item)).isEqualTo(Map.of(id, 2));
        assertEverywhere(item, 8, false);
    }

    @Test
    void oracle3TheSamePurchaseManyTimesAtOnceIsOnePurchase() throws Exception {
        UUID item = listed(seller, 10);

        List<Integer> answers = atOnce(12, number -> buyUntilAnswered(api, item, id, 2));

        assertThat(answers)
                .containsOnlyOnce(201)
                .filteredOn(status -> status != 201)
                .containsOnly(200);
        assertThat(purchasesOf(item)).isEqualTo(Map.of(id, 2));
        assertEverywhere(item, 8, false);
        assertCompleted(id);
    }

    @Test
    void oracle4BuyingTheLastFinishesTheAuctionEverywhere() {
        UUID item = listed(seller, 3);
        UUID first = Uuids.timeBased();
        buy(item, first, buyer, 1).expectStatus().isCreated();

        buy(item, id, buyer, 2).expectStatus().isCreated();

        assertEverywhere(item, 0, true);
        assertCompleted(first);
        assertCompleted(id);
        assertThat(boughtBy(buyer)).containsExactly(first.toString(), id.toString());
        assertThat(json("/api/purchases/" + id))
                .containsAllEntriesOf(Map.of("status", "COMPLETED", "quantity", 2, "unitPrice", 49.9))
                .containsEntry("expires", null);
    }

    @Test
    void oracle5FiftyBuyersOfTenUnitsGetExactlyTen() throws Exception {
        UUID item = listed(seller, 10);

        List<Integer> answers = atOnce(50, number -> buyUntilAnswered(api, item, Uuids.timeBased(), 1));

        assertSold(answers, 10);
        assertThat(purchasesOf(item)).hasSize(10);
        assertBalanced(item);
        assertEverywhere(item, 0, true);
        purchasesOf(item).keySet().forEach(this::assertCompleted);
    }

    @Test
    void oracle5BuyersOfSeveralUnitsNeverTakeMoreThanThereIs() throws Exception {
        UUID item = listed(seller, 20);

        List<Integer> answers = atOnce(30, number -> buyUntilAnswered(api, item, Uuids.timeBased(), 1 + number % 3));

        assertBalanced(item);
        assertSold(answers, purchasesOf(item).size());
    }

    @Test
    void refusesWhatIsSoldOutAndSaysHowManyAreLeft() {
        UUID item = listed(seller, 3);
        buy(item, Uuids.timeBased(), buyer, 2).expectStatus().isCreated();

        refused(buy(item, id, buyer, 2), 409, "sold-out")
                .jsonPath("$.available")
                .isEqualTo(1);

        assertThat(purchasesOf(item)).hasSize(1).doesNotContainKey(id);
        get("/api/purchases/" + id).expectStatus().isNotFound();
    }

    @Test
    void refusesWhenTheAuctionIsFinishedButKnowsWhatWasBoughtBefore() {
        UUID item = listed(seller, 3);
        buy(item, id, buyer, 1).expectStatus().isCreated();
        clock.travel(Duration.ofDays(8));

        refused(buy(item, Uuids.timeBased(), buyer, 1), 409, "auction-finished");
        buy(item, id, buyer, 1).expectStatus().isOk();

        assertBalanced(item);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 11})
    void refusesAQuantityThatIsNotPossible(int quantity) {
        UUID item = listed(seller, 10);

        refused(buy(item, id, buyer, quantity), 422, "invalid-quantity", "quantity");

        assertEverywhere(item, 10, false);
        get("/api/purchases/" + id).expectStatus().isNotFound();
    }

    @Test
    void refusesIdsThatAreNoneAndWhoeverIsNotThere() {
        UUID item = listed(seller, 1);
        Map<String, Object> body = Map.of("buyerId", buyer.toString(), "quantity", 1);

        refused(put("/api/items/%s/purchases/nobody".formatted(item), body), 400, "malformed-request", "purchaseId");
        refused(put("/api/items/nothing/purchases/" + id, body), 400, "malformed-request", "id");
        refused(buy(item, UUID.randomUUID(), buyer, 1), 400, "invalid-request", "purchaseId");
        refused(buy(item, id, UUID.randomUUID(), 1), 422, "unknown-buyer");
        buy(Uuids.timeBased(), id, buyer, 1).expectStatus().isNotFound();

        assertEverywhere(item, 1, false);
    }

    @Test
    void refusesAnotherPurchaseUnderTheSameId() {
        UUID item = listed(seller, 10);
        buy(item, id, buyer, 2).expectStatus().isCreated();

        refused(buy(item, id, buyer, 3), 409, "purchase-conflict");
        refused(buy(item, id, seller, 2), 409, "purchase-conflict");
        refused(buy(listed(seller, 9), id, buyer, 2), 409, "purchase-conflict");

        assertEverywhere(item, 8, false);
    }

    @Test
    void pagesThroughThePurchasesOfAUserTheNewestFirst() {
        UUID item = listed(seller, 10);
        List<Object> bought = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            UUID purchase = Uuids.timeBased();
            buy(item, purchase, buyer, 1).expectStatus().isCreated();
            bought.add(0, purchase.toString());
        }

        assertThat(boughtBy(buyer)).isEqualTo(bought);
        Object next = json("/api/users/" + buyer + "/purchases?size=2").get("next");
        get("/api/users/" + seller + "/purchases?cursor=" + next).expectStatus().isBadRequest();
    }

    private List<Object> boughtBy(UUID user) {
        return everyPage("/api/users/" + user + "/purchases?size=2", "cursor", "purchaseId");
    }
}
