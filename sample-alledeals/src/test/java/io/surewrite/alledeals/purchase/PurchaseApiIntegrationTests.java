package io.surewrite.alledeals.purchase;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.HttpHeaders;

/** Oracles 3, 4 and 5: buying, once and under contention. */
class PurchaseApiIntegrationTests extends PurchaseTest {

    private static final String PROBLEM = "urn:alledeals:problem:";

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

        buy(item, id, buyer, 2)
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.status")
                .isEqualTo("COMPLETED")
                .jsonPath("$.expires")
                .isEmpty();

        assertThat(contents(id)).isEqualTo(before);
        assertThat(purchasesOf(item)).isEqualTo(Map.of(id, 2));
        assertEverywhere(item, 8, false);
    }

    @Test
    void oracle3TheSamePurchaseManyTimesAtOnceIsOnePurchase() throws Exception {
        UUID item = listed(seller, 10);

        List<Integer> answers = atOnce(12, number -> buyStatus(item, id, 2));

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
        assertThat(boughtBy(buyer)).containsExactlyInAnyOrder(first.toString(), id.toString());
        get("/api/purchases/" + id)
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.status")
                .isEqualTo("COMPLETED")
                .jsonPath("$.quantity")
                .isEqualTo(2)
                .jsonPath("$.unitPrice")
                .isEqualTo(49.9)
                .jsonPath("$.expires")
                .isEmpty();
    }

    @Test
    void oracle5FiftyBuyersOfTenUnitsGetExactlyTen() throws Exception {
        UUID item = listed(seller, 10);

        List<Integer> answers = atOnce(50, number -> buyStatus(item, Uuids.timeBased(), 1));

        assertSold(answers, 10);
        assertThat(purchasesOf(item)).hasSize(10);
        assertBalanced(item);
        assertEverywhere(item, 0, true);
        purchasesOf(item).keySet().forEach(this::assertCompleted);
    }

    @Test
    void oracle5BuyersOfSeveralUnitsNeverTakeMoreThanThereIs() throws Exception {
        UUID item = listed(seller, 20);

        List<Integer> answers = atOnce(30, number -> buyStatus(item, Uuids.timeBased(), 1 + number % 3));

        assertBalanced(item);
        assertSold(answers, purchasesOf(item).size());
    }

    @Test
    void refusesWhatIsSoldOutAndSaysHowManyAreLeft() {
        UUID item = listed(seller, 3);
        buy(item, Uuids.timeBased(), buyer, 2).expectStatus().isCreated();

        buy(item, id, buyer, 2)
                .expectStatus()
                .isEqualTo(409)
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo(PROBLEM + "sold-out")
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

        buy(item, Uuids.timeBased(), buyer, 1)
                .expectStatus()
                .isEqualTo(409)
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo(PROBLEM + "auction-finished");
        buy(item, id, buyer, 1).expectStatus().isOk();

        assertBalanced(item);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 11, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void refusesAQuantityThatIsNotPossible(int quantity) {
        UUID item = listed(seller, 10);

        buy(item, id, buyer, quantity)
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo(PROBLEM + "invalid-quantity")
                .jsonPath("$.errors[0].field")
                .isEqualTo("quantity");

        assertEverywhere(item, 10, false);
        get("/api/purchases/" + id).expectStatus().isNotFound();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            value = {
                "quantity, 2147483648",
                "quantity, 1.5",
                "quantity, many",
                "quantity, null",
                "buyerId, nobody",
                "buyerId, null",
                "price, 1"
            })
    void refusesABadValueAndNamesIt(String field, String value) {
        UUID item = listed(seller, 10);
        Map<String, Object> body = new HashMap<>(Map.of("buyerId", buyer.toString(), "quantity", 1));
        body.put(field, value);

        put("/api/items/%s/purchases/%s".formatted(item, id), body)
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo(PROBLEM + "invalid-request")
                .jsonPath("$.errors[0].field")
                .isEqualTo(field);

        assertEverywhere(item, 10, false);
    }

    @ParameterizedTest
    @CsvSource({
        "{item}, nobody, 400, purchaseId",
        "{item}, 6f9619ff-8b86-4d11-b42d-00cf4fc964ff, 400, purchaseId",
        "nothing, {id}, 400, id",
    })
    void refusesABadIdAndNamesIt(String item, String purchase, int status, String field) {
        String path = "/api/items/%s/purchases/%s"
                .formatted(item, purchase)
                .replace("{item}", listed(seller, 1).toString())
                .replace("{id}", id.toString());

        put(path, Map.of("buyerId", buyer.toString(), "quantity", 1))
                .expectStatus()
                .isEqualTo(status)
                .expectBody()
                .jsonPath("$.errors[0].field")
                .isEqualTo(field);
    }

    @Test
    void refusesAnUnknownBuyerOrItem() {
        UUID item = listed(seller, 1);

        buy(item, id, UUID.randomUUID(), 1)
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo(PROBLEM + "unknown-buyer");
        buy(Uuids.timeBased(), id, buyer, 1).expectStatus().isNotFound();

        assertEverywhere(item, 1, false);
    }

    @Test
    void refusesAnotherPurchaseUnderTheSameId() {
        UUID item = listed(seller, 10);
        buy(item, id, buyer, 2).expectStatus().isCreated();

        for (var other :
                List.of(buy(item, id, buyer, 3), buy(item, id, seller, 2), buy(listed(seller, 9), id, buyer, 2))) {
            other.expectStatus()
                    .isEqualTo(409)
                    .expectBody()
                    .jsonPath("$.type")
                    .isEqualTo(PROBLEM + "purchase-conflict");
        }

        assertEverywhere(item, 8, false);
    }

    @Test
    void pagesThroughThePurchasesOfAUserTheNewestFirst() {
        UUID item = listed(seller, 10);
        List<String> bought = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            UUID purchase = Uuids.timeBased();
            buy(item, purchase, buyer, 1).expectStatus().isCreated();
            bought.add(0, purchase.toString());
        }

        List<String> seen = new ArrayList<>();
        String cursor = "";
        while (cursor != null) {
            Map<String, Object> page = page("/api/users/" + buyer + "/purchases?size=2" + cursor);
            seen.addAll(ids(page));
            cursor = page.get("next") == null ? null : "&cursor=" + page.get("next");
        }

        assertThat(seen).isEqualTo(bought);
        get("/api/users/" + seller + "/purchases?cursor="
                        + page("/api/users/" + buyer + "/purchases?size=2").get("next"))
                .expectStatus()
                .isBadRequest();
    }

    private int buyStatus(UUID item, UUID purchase, int quantity) {
        return buyUntilAnswered(api, item, purchase, quantity);
    }

    private List<String> boughtBy(UUID user) {
        return ids(page("/api/users/" + user + "/purchases"));
    }

    private static List<String> ids(Map<String, Object> page) {
        return ((List<?>) page.get("items"))
                .stream()
                        .map(bought -> (String) ((Map<?, ?>) bought).get("purchaseId"))
                        .toList();
    }

    private Map<String, Object> page(String path) {
        return get(path)
                .expectStatus()
                .isOk()
                .expectBody(new ParameterizedTypeReference<Map<String, Object>>() {})
                .returnResult()
                .getResponseBody();
    }

    private interface Buyer {
        int buy(int number);
    }

    private static List<Integer> atOnce(int buyers, Buyer buyer) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(buyers);
        try {
            List<Future<Integer>> all = threads.invokeAll(IntStream.range(0, buyers)
                    .<java.util.concurrent.Callable<Integer>>mapToObj(number -> () -> buyer.buy(number))
                    .toList());
            List<Integer> answers = new ArrayList<>();
            for (Future<Integer> answer : all) {
                answers.add(answer.get());
            }
            return answers;
        } finally {
            threads.shutdownNow();
        }
    }
}
