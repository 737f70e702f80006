package io.surewrite.alledeals.purchase;

import io.surewrite.alledeals.item.Item;
import io.surewrite.alledeals.web.FieldProblem;
import io.surewrite.alledeals.web.ProblemException;
import io.surewrite.alledeals.web.ProblemType;
import io.surewrite.alledeals.web.TimeIds;
import java.time.Instant;
import java.util.UUID;

/** What is refused, and in which words. */
final class PurchaseRules {

    private PurchaseRules() {}

    /** Refuses a new purchase that has no chance, before anything is written. */
    static void check(UUID id, Item item, int quantity, Instant now) {
        TimeIds.requireNew("purchaseId", id, now);
        if (quantity < 1 || quantity > item.offeredUnits()) {
            throw new ProblemException(
                    ProblemType.INVALID_QUANTITY,
                    new FieldProblem("quantity", "must be from 1 to the %d offered".formatted(item.offeredUnits())));
        }
        if (item.availableUnits() < quantity) {
            throw soldOut(quantity, item.availableUnits());
        }
        if (!item.endDate().isAfter(now)) {
            throw auctionFinished(item);
        }
    }

    /** Refuses another purchase under the id of an earlier one. */
    static Purchase same(Purchase earlier, UUID itemId, UUID buyerId, int quantity) {
        if (!earlier.itemId().equals(itemId) || !earlier.buyerId().equals(buyerId) || earlier.quantity() != quantity) {
            throw conflict(earlier.id());
        }
        return earlier;
    }

    static ProblemException soldOut(int quantity, int available) {
        String detail =
                available == 0 ? "Nothing is left." : "%d wanted, but only %d left.".formatted(quantity, available);
        return new ProblemException(ProblemType.SOLD_OUT, detail).with("available", available);
    }

    static ProblemException auctionFinished(Item item) {
        return new ProblemException(ProblemType.AUCTION_FINISHED, "The offer ended at %s.".formatted(item.endDate()));
    }

    static ProblemException conflict(UUID id) {
        return new ProblemException(
                ProblemType.PURCHASE_CONFLICT,
                "A purchase with the id %s is there already, and is another one.".formatted(id));
    }

    static ProblemException notFound(UUID id) {
        return new ProblemException(
                ProblemType.PURCHASE_NOT_FOUND, "No purchase has the id %s, or not any more.".formatted(id));
    }

    static ProblemException unknownBuyer() {
        return new ProblemException(
                ProblemType.UNKNOWN_BUYER, new FieldProblem("buyerId", "must be a registered user"));
    }
}
