package io.surewrite.verification.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.verification.faults.ShopRows.Listing;
import io.surewrite.verification.faults.ShopRows.Purchase;
import io.surewrite.verification.faults.ShopRows.Stock;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShopCheckerTests {

    private static final UUID ID = new UUID(1, 2);
    private static final Optional<Stock> STOCK = Optional.of(new Stock(ID, 10, 7, false, Map.of(ID, 3)));
    private static final Optional<Listing> SHOWN = Optional.of(new Listing(7, false));

    @Test
    void acceptsListingsThatAllShowTheItemOrNothing() {
        assertThat(ShopChecker.wrongListings(STOCK, Map.of("user", SHOWN, "tag", SHOWN)))
                .isEmpty();
        assertThat(ShopChecker.wrongListings(
                        Optional.empty(), Map.of("user", Optional.empty(), "tag", Optional.empty())))
                .isEmpty();
    }

    @Test
    void findsAListingThatIsMissing() {
        assertThat(ShopChecker.wrongListings(STOCK, Map.of("user", SHOWN, "tag", Optional.empty())))
                .singleElement()
                .asString()
                .startsWith("The listing by tag shows");
    }

    @Test
    void findsAListingOfAnItemThatIsNot() {
        assertThat(ShopChecker.wrongListings(Optional.empty(), Map.of("user", Optional.empty(), "month", SHOWN)))
                .singleElement()
                .asString()
                .startsWith("The listing by month shows");
    }

    @Test
    void findsAListingThatShowsTheItemAsItWas() {
        assertThat(ShopChecker.wrongListings(STOCK, Map.of("tag", Optional.of(new Listing(8, false)))))
                .hasSize(1);
        assertThat(ShopChecker.wrongListings(STOCK, Map.of("tag", Optional.of(new Listing(7, true)))))
                .hasSize(1);
    }

    @Test
    void acceptsAPurchaseThatIsCompletedAndStays() {
        assertThat(ShopChecker.wrongPurchase(ID, 3, Optional.of(new Purchase(3, "COMPLETED", false, 3))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "2, COMPLETED, false, 3",
        "3, PENDING, false, 3",
        "3, , false, 3",
        "3, COMPLETED, true, 3",
        "3, COMPLETED, false, "
    })
    void findsAPurchaseThatIsNotCompleted(
            int quantity, @Nullable String status, boolean expires, @Nullable Integer buyersOwn) {
        assertThat(ShopChecker.wrongPurchase(ID, 3, Optional.of(new Purchase(quantity, status, expires, buyersOwn))))
                .singleElement()
                .asString()
                .contains("is not completed");
    }

    @Test
    void findsAPurchaseThatIsGone() {
        assertThat(ShopChecker.wrongPurchase(ID, 3, Optional.empty())).hasSize(1);
    }
}
