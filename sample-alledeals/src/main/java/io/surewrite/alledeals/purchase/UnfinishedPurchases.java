package io.surewrite.alledeals.purchase;

import io.surewrite.alledeals.begun.Unfinished;
import io.surewrite.alledeals.item.ItemService;
import io.surewrite.alledeals.web.Recent;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Purchases that are bound to their item but not completed, or whose item's listings do not show them. What this process
 * has completed itself, or has seen completed, it does not look at again.
 */
@Component
class UnfinishedPurchases implements Unfinished {

    /** Of some minutes of a busy shop; what is forgotten is only looked at once more. */
    private final Set<UUID> completed = Collections.newSetFromMap(Recent.map(100_000));

    private final PurchaseRepository purchases;
    private final GroupBinding binding;
    private final ItemService items;
    private final ApplicationEventPublisher events;

    UnfinishedPurchases(
            PurchaseRepository purchases, GroupBinding binding, ItemService items, ApplicationEventPublisher events) {
        this.purchases = purchases;
        this.binding = binding;
        this.items = items;
        this.events = events;
    }

    /** Comes last: whoever fails before has not finished the purchase. */
    @EventListener
    @Order(3)
    void remember(PurchaseBoundEvent event) {
        completed.add(event.purchase().id());
    }

    @Override
    public int finish(Instant bucket) {
        Map<UUID, List<Purchase>> byItem =
                purchases.begunIn(bucket).stream().collect(Collectors.groupingBy(Purchase::itemId));
        return byItem.entrySet().stream()
                .mapToInt(entry -> finish(entry.getKey(), entry.getValue()))
                .sum();
    }

    private int finish(UUID itemId, List<Purchase> begun) {
        List<Purchase> open = begun.stream().filter(this::isOpen).toList();
        int finished = 0;
        if (!open.isEmpty()) {
            Stock stock = binding.finalStock(itemId);
            for (Purchase purchase : open) {
                if (stock.matches(purchase)) {
                    events.publishEvent(new PurchaseBoundEvent(purchase));
                    finished++;
                }
            }
        }
        return finished + (items.catchUpListings(itemId) ? 1 : 0);
    }

    private boolean isOpen(Purchase purchase) {
        if (completed.contains(purchase.id())) {
            return false;
        }
        if (purchases.findById(purchase.id()).filter(Purchase::isCompleted).isPresent()) {
            completed.add(purchase.id());
            return false;
        }
        return true;
    }
}
