package io.surewrite.verification.faults;

import io.surewrite.verification.faults.ShopRows.Listing;
import io.surewrite.verification.faults.ShopRows.Purchase;
import io.surewrite.verification.faults.ShopRows.Stock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Judges what the tables of the sample shop say of one item, or of one purchase: it took place everywhere, or nowhere. */
final class ShopChecker {

    private ShopChecker() {}

    /** What is wrong with the listings of an item: they all show it as it stands, or none of them at all. */
    static List<String> wrongListings(Optional<Stock> stock, Map<String, Optional<Listing>> listings) {
        Optional<Listing> right = stock.map(now -> new Listing(now.available(), now.finished()));
        List<String> wrong = new ArrayList<>();
        listings.forEach((by, shown) -> {
            if (!shown.equals(right)) {
                wrong.add("The listing by %s shows %s, the item is %s".formatted(by, shown, stock));
            }
        });
        return wrong;
    }

    /** What is wrong with a purchase whose units are taken: it stays, every cell of it, and its buyer has it. */
    static List<String> wrongPurchase(UUID id, int quantity, Optional<Purchase> found) {
        return found.equals(Optional.of(new Purchase(quantity, "COMPLETED", false, quantity)))
                ? List.of()
                : List.of("%s of %d units is not completed: %s".formatted(id, quantity, found));
    }
}
