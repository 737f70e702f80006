package io.surewrite.alledeals.purchase;

import io.surewrite.alledeals.begun.TimeBuckets;
import io.surewrite.alledeals.item.Item;
import io.surewrite.alledeals.item.ItemService;
import io.surewrite.alledeals.user.UserService;
import io.surewrite.alledeals.web.Cursor;
import io.surewrite.alledeals.web.Cursor.Page;
import io.surewrite.alledeals.web.Gathering;
import io.surewrite.alledeals.web.TimeIds;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Service;

/** Buys, in the kata's three steps: save for a day, bind to the item, complete by an event. */
@Service
public class PurchaseService {

    private static final Logger log = LoggerFactory.getLogger(PurchaseService.class);

    /** Few, so that groups form when many buy; more than one, so that a slow node does not stop everybody. */
    static final int GROUPS_AT_ONCE = 2;

    /** A batch stays below the sizes and the numbers of partitions that Cassandra warns of. */
    static final int LARGEST_GROUP = 8;

    private final PurchaseRepository purchases;
    private final Gathering<String, Purchase> saving;
    private final UserPurchaseRepository userPurchases;
    private final GroupBinding binding;
    private final ItemService items;
    private final UserService users;
    private final ApplicationEventPublisher events;
    private final Clock clock;

    PurchaseService(
            PurchaseRepository purchases,
            UserPurchaseRepository userPurchases,
            GroupBinding binding,
            ItemService items,
            UserService users,
            ApplicationEventPublisher events,
            Clock clock,
            @Value("${alledeals.purchase.unbound-lives:24h}") Duration unboundLives) {
        this.purchases = purchases;
        this.userPurchases = userPurchases;
        this.binding = binding;
        this.items = items;
        this.users = users;
        this.events = events;
        this.clock = clock;
        this.saving = new Gathering<>(
                GROUPS_AT_ONCE,
                LARGEST_GROUP,
                (same, group) -> purchases.savePurchases(group, unboundLives, TimeBuckets.of(clock.instant())));
    }

    /** Buys. The same call again changes nothing and tells what became of the first one, whatever happened to it. */
    public Purchasing purchase(UUID id, UUID itemId, UUID buyerId, int quantity) {
        Optional<Purchase> earlier = find(id);
        if (earlier.isPresent()) {
            return again(PurchaseRules.same(earlier.get(), itemId, buyerId, quantity));
        }
        Item item = items.get(itemId);
        Instant now = clock.instant();
        PurchaseRules.check(id, item, quantity, now);
        if (users.find(buyerId).isEmpty()) {
            throw PurchaseRules.unknownBuyer();
        }
        return bind(Purchase.created(id, itemId, buyerId, item.unitPrice(), quantity));
    }

    /** A purchase that is there: completed, bound and not completed, refused, or still under way somewhere. */
    private Purchasing again(Purchase earlier) {
        if (earlier.isCompleted()) {
            return new Purchasing(earlier, false);
        }
        Item item = items.get(earlier.itemId());
        if (item.endDate().isAfter(clock.instant())) {
            return bind(earlier);
        }
        if (binding.finalStock(item.id()).has(earlier)) {
            return new Purchasing(complete(earlier), false);
        }
        throw PurchaseRules.auctionFinished(item);
    }

    private Purchasing bind(Purchase purchase) {
        saving.run("", purchase);
        boolean isNew = binding.bind(purchase);
        return new Purchasing(complete(purchase), isNew);
    }

    /** Tells everybody that a purchase is bound: it is completed, or will be by the reconciler if that fails now. */
    private Purchase complete(Purchase purchase) {
        try {
            events.publishEvent(new PurchaseBoundEvent(purchase));
            return purchase.completed();
        } catch (DataAccessException trouble) {
            log.warn("Purchase {} is bound and will be completed later: {}", purchase.id(), trouble.getMessage());
            return purchase;
        }
    }

    /** Finds a purchase that must be there. */
    public Purchase get(UUID id) {
        return find(id).orElseThrow(() -> PurchaseRules.notFound(id));
    }

    /** The completed purchases of a user, the newest first. */
    Page<UserPurchase> ofUser(UUID userId, @Nullable String after, int size) {
        Cursor cursor = new Cursor("purchases " + userId);
        UUID before = cursor.read(after);
        Page<UserPurchase> page =
                cursor.page(userPurchases.findPage(userId, before, size + 1), size, UserPurchase::purchaseId);
        if (page.items().isEmpty()) {
            users.get(userId);
        }
        return page;
    }

    private Optional<Purchase> find(UUID id) {
        return TimeIds.isTimeUuid(id) ? purchases.findById(id) : Optional.empty();
    }

    /** What became of a purchase. */
    public record Purchasing(Purchase purchase, boolean isNew) {}
}
