package io.surewrite.alledeals.item;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.alledeals.ShopTest;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ItemApiIntegrationTests extends ShopTest {

    private final UUID id = Uuids.timeBased();
    private final String path = "/api/items/" + id;

    private UUID seller;

    @BeforeEach
    void registerASeller() {
        seller = registered("seller");
    }

    @Test
    void listsOnceHoweverOftenItIsAsked() {
        Map<String, Object> item = item(seller);
        put(path, item).expectStatus().isCreated();
        item.put("unitPrice", new BigDecimal("49.9"));
        item.put("tags", List.of("lamp", "brass", "lamp"));
        put(path, item).expectStatus().isOk();
        assertThat(json(path)).containsEntry("availableUnits", 10);

        clock.travel(Duration.ofDays(8));
        put(path, item).expectStatus().isOk();
    }

    @Test
    void refusesADifferentItemUnderTheSameIdAndKeepsTheFirst() {
        Map<String, Object> item = item(seller);
        put(path, item).expectStatus().isCreated();
        item.put("name", "Silver lamp");
        item.put("offeredUnits", 11);

        refused(put(path, item), 409, "item-conflict").jsonPath("$.differs").isEqualTo(List.of("name", "offeredUnits"));
        assertThat(json(path)).containsEntry("name", "Brass lamp");
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

    @ParameterizedTest
    @MethodSource
    void refusesABadValueAndNamesIt(String field, Object value) {
        Map<String, Object> item = item(seller);
        item.put(field.replaceFirst("\\[.*", ""), value);

        refused(put(path, item), 400, "invalid-request", field);
        get(path).expectStatus().isNotFound();
    }

    static Stream<Arguments> refusesABadValueAndNamesIt() {
        return Stream.of(
                Arguments.of("name", ""),
                Arguments.of("description", "x".repeat(4001)),
                Arguments.of("unitPrice", new BigDecimal("1.005")),
                Arguments.of("unitPrice", new BigDecimal("1E+400")),
                Arguments.of("offeredUnits", 2.5),
                Arguments.of("offeredUnits", 1_000_001),
                Arguments.of("endDate", "2001-01-01T00:00:00Z"),
                Arguments.of("endDate", "2999-01-01T00:00:00Z"),
                Arguments.of("sellerId", "nobody"),
                Arguments.of(
                        "tags", IntStream.range(0, 9).mapToObj(i -> "tag" + i).toList()),
                Arguments.of("tags[]", List.of("<b>")),
                Arguments.of("tags[]", Collections.singletonList(null)),
                Arguments.of("availableUnits", 5));
    }

    @ParameterizedTest
    @CsvSource({
        "not-a-uuid, malformed-request",
        "6f9619ff-8b86-4d11-b42d-00cf4fc964ff, invalid-request",
        "6f9619ff-8b86-1d11-f42d-00cf4fc964ff, invalid-request",
    })
    void refusesAnIdThatIsNoTimeUuid(String badId, String type) {
        refused(put("/api/items/" + badId, item(seller)), 400, type, "id");
    }

    @Test
    void refusesAnIdFromTheFuture() {
        long inAnHour = clock.millis() + Duration.ofHours(1).toMillis();
        UUID future = new UUID(Uuids.startOf(inAnHour).getMostSignificantBits(), id.getLeastSignificantBits());

        refused(put("/api/items/" + future, item(seller)), 400, "invalid-request", "id");
    }

    @Test
    void pagesThroughEveryItemOnce() {
        List<String> listed =
                Stream.generate(() -> listed(item(seller)).toString()).limit(7).toList();

        assertThat(everyPage("/api/items?size=3", "after", "id"))
                .doesNotHaveDuplicates()
                .containsAll(listed);
    }
}
