package io.surewrite.alledeals.item;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.alledeals.ShopTest;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

class ItemApiIntegrationTests extends ShopTest {

    private static final String INVALID = "urn:alledeals:problem:invalid-request";

    private final UUID id = Uuids.timeBased();
    private final String path = "/api/items/" + id;

    private UUID seller;

    @BeforeEach
    void registerASeller() {
        seller = registered("seller");
    }

    @Test
    void listsAnItemAndReadsItBack() {
        put(path, item(seller)).expectStatus().isCreated().expectHeader().valueEquals(HttpHeaders.LOCATION, path);

        get(path)
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.id")
                .isEqualTo(id.toString())
                .jsonPath("$.sellerId")
                .isEqualTo(seller.toString())
                .jsonPath("$.name")
                .isEqualTo("Brass lamp")
                .jsonPath("$.description")
                .isEqualTo("Works. The switch is stiff.")
                .jsonPath("$.unitPrice")
                .isEqualTo(49.9)
                .jsonPath("$.offeredUnits")
                .isEqualTo(10)
                .jsonPath("$.availableUnits")
                .isEqualTo(10)
                .jsonPath("$.finished")
                .isEqualTo(false)
                .jsonPath("$.tags")
                .isEqualTo(List.of("brass", "lamp"));
    }

    @Test
    void listsOnceHoweverOftenItIsAsked() {
        Map<String, Object> item = item(seller);
        put(path, item).expectStatus().isCreated();
        item.put("unitPrice", new BigDecimal("49.9"));
        item.put("tags", List.of("lamp", "brass", "lamp"));

        put(path, item)
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.availableUnits")
                .isEqualTo(10);
    }

    @Test
    void answersARepeatedListingAlsoAfterItsEnd() {
        Map<String, Object> item = item(seller);
        put(path, item).expectStatus().isCreated();
        clock.travel(Duration.ofDays(8));

        put(path, item).expectStatus().isOk();
    }

    @Test
    void refusesADifferentItemUnderTheSameIdAndKeepsTheFirst() {
        Map<String, Object> item = item(seller);
        put(path, item).expectStatus().isCreated();
        item.put("name", "Silver lamp");
        item.put("offeredUnits", 11);

        put(path, item)
                .expectStatus()
                .isEqualTo(409)
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo("urn:alledeals:problem:item-conflict")
                .jsonPath("$.differs")
                .isEqualTo(List.of("name", "offeredUnits"));
        get(path).expectBody().jsonPath("$.name").isEqualTo("Brass lamp");
    }

    @Test
    void takesOneOfManyWhoListUnderTheSameIdAtOnce() {
        List<Integer> answers = IntStream.range(0, 8)
                .parallel()
                .mapToObj(number -> {
                    Map<String, Object> item = item(seller);
                    item.put("name", "Lamp " + number);
                    return put(path, item)
                            .returnResult(String.class)
                            .getStatus()
                            .value();
                })
                .toList();

        assertThat(answers)
                .hasSize(8)
                .containsOnlyOnce(201)
                .filteredOn(status -> status != 201)
                .containsOnly(409);
    }

    @Test
    void keepsAnItemWithoutTags() {
        Map<String, Object> item = item(seller);
        item.remove("tags");
        put(path, item).expectStatus().isCreated();

        put(path, item).expectStatus().isOk().expectBody().jsonPath("$.tags").isEqualTo(List.of());
    }

    @ParameterizedTest
    @MethodSource
    void refusesABadValueAndNamesIt(String field, Object value) {
        Map<String, Object> item = item(seller);
        item.put(field.replaceFirst("\\[.*", ""), value);

        put(path, item)
                .expectStatus()
                .isBadRequest()
                .expectHeader()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo(INVALID)
                .jsonPath("$.errors.length()")
                .isEqualTo(1)
                .jsonPath("$.errors[0].field")
                .isEqualTo(field)
                .jsonPath("$.errors[0].message")
                .isNotEmpty();
        get(path).expectStatus().isNotFound();
    }

    static Stream<Arguments> refusesABadValueAndNamesIt() {
        return Stream.of(
                Arguments.of("name", ""),
                Arguments.of("name", null),
                Arguments.of("name", "two\nlines"),
                Arguments.of("name", "x".repeat(101)),
                Arguments.of("description", "   "),
                Arguments.of("description", "x".repeat(4001)),
                Arguments.of("description", "\u0000"),
                Arguments.of("description", "x".repeat(1 << 19)),
                Arguments.of("unitPrice", new BigDecimal("-1")),
                Arguments.of("unitPrice", 0),
                Arguments.of("unitPrice", new BigDecimal("1.005")),
                Arguments.of("unitPrice", new BigDecimal("123456789")),
                Arguments.of("unitPrice", new BigDecimal("1E+400")),
                Arguments.of("unitPrice", "cheap"),
                Arguments.of("offeredUnits", 0),
                Arguments.of("offeredUnits", -3),
                Arguments.of("offeredUnits", 2.5),
                Arguments.of("offeredUnits", 1L << 31),
                Arguments.of("offeredUnits", 1_000_001),
                Arguments.of("endDate", "2001-01-01T00:00:00Z"),
                Arguments.of("endDate", "tomorrow"),
                Arguments.of("endDate", "+1000000000-12-31T23:59:59Z"),
                Arguments.of("endDate", null),
                Arguments.of("sellerId", "nobody"),
                Arguments.of("tags", "lamp"),
                Arguments.of(
                        "tags", IntStream.range(0, 9).mapToObj(i -> "tag" + i).toList()),
                Arguments.of(
                        "tags",
                        IntStream.range(0, 10_000).mapToObj(i -> "tag" + i).toList()),
                Arguments.of("tags[]", List.of("x".repeat(31))),
                Arguments.of("tags[]", List.of("Upper")),
                Arguments.of("tags[]", List.of("<b>")),
                Arguments.of("tags[]", List.of("")),
                Arguments.of("tags[]", Collections.singletonList(null)),
                Arguments.of("availableUnits", 5));
    }

    @Test
    void refusesAnOfferThatIsTooLong() {
        Map<String, Object> item = item(seller);
        item.put("endDate", clock.instant().plus(Duration.ofDays(31)).toString());

        put(path, item)
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.errors[0].message")
                .isEqualTo("must be within 30 days");
    }

    @Test
    void refusesAnUnknownSeller() {
        put(path, item(UUID.randomUUID()))
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo("urn:alledeals:problem:unknown-seller")
                .jsonPath("$.errors[0].field")
                .isEqualTo("sellerId");
        get(path).expectStatus().isNotFound();
    }

    @ParameterizedTest
    @CsvSource({
        "not-a-uuid, urn:alledeals:problem:malformed-request",
        "6f9619ff-8b86-4d11-b42d-00cf4fc964ff, " + INVALID,
        "6f9619ff-8b86-1d11-f42d-00cf4fc964ff, " + INVALID,
    })
    void refusesAnIdThatIsNoTimeUuid(String badId, String type) {
        put("/api/items/" + badId, item(seller))
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.type")
                .isEqualTo(type)
                .jsonPath("$.errors[0].field")
                .isEqualTo("id");
    }

    @Test
    void refusesAnIdFromTheFuture() {
        long inAnHour = clock.millis() + Duration.ofHours(1).toMillis();
        UUID future = new UUID(Uuids.startOf(inAnHour).getMostSignificantBits(), id.getLeastSignificantBits());

        put("/api/items/" + future, item(seller))
                .expectStatus()
                .isBadRequest()
                .expectBody()
                .jsonPath("$.errors[0].message")
                .isEqualTo("must not carry a time in the future");
    }

    @Test
    void pagesThroughEveryItemOnce() {
        Set<String> listed = new HashSet<>();
        for (int i = 0; i < 7; i++) {
            listed.add(listed(item(seller)).toString());
        }

        List<String> seen = new ArrayList<>();
        String next = "";
        while (next != null) {
            Map<String, Object> page = page(next);
            List<?> items = (List<?>) page.get("items");
            assertThat(items).hasSizeLessThanOrEqualTo(3);
            items.forEach(item -> seen.add((String) ((Map<?, ?>) item).get("id")));
            next = page.get("next") == null ? null : "&after=" + page.get("next");
        }

        assertThat(seen).doesNotHaveDuplicates().containsAll(listed);
    }

    @Test
    void describesItselfInOpenApi() {
        get("/v3/api-docs")
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.paths['/api/items/{id}'].put.responses['409'].description")
                .isEqualTo("A different item has this id")
                .jsonPath("$.paths['/api/users/{id}'].get")
                .exists();
        get("/swagger-ui/index.html").expectStatus().isOk();
    }

    private Map<String, Object> page(String after) {
        return get("/api/items?size=3" + after)
                .expectStatus()
                .isOk()
                .expectBody(new ParameterizedTypeReference<Map<String, Object>>() {})
                .returnResult()
                .getResponseBody();
    }
}
