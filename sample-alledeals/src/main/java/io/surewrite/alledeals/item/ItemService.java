package io.surewrite.alledeals.item;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.alledeals.user.UserService;
import io.surewrite.alledeals.web.FieldProblem;
import io.surewrite.alledeals.web.ProblemException;
import io.surewrite.alledeals.web.ProblemType;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Lists items and finds them. */
@Service
public class ItemService {

    /** A listing lives for 30 days at most, so its offer ends by then. */
    private static final Duration LONGEST_OFFER = Duration.ofDays(30);

    /** How far a client's clock may be ahead of ours. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(5);

    private final ItemRepository items;
    private final UserService users;
    private final Clock clock;

    ItemService(ItemRepository items, UserService users, Clock clock) {
        this.items = items;
        this.users = users;
        this.clock = clock;
    }

    /**
     * Lists an item under the id that its client made. The same item again changes nothing, also when its offer has
     * ended meanwhile: that is why the rules that look at the clock come after the look at what is there.
     *
     * @param item the item, as when just listed
     * @return the item as it stands, and whether it is new
     * @throws ProblemException if a different item has the id, the seller is unknown or a time is out of bounds; nothing
     *     is written then
     */
    public Listing list(Item item) {
        Optional<Item> standing = find(item.id());
        if (standing.isEmpty()) {
            checkTimes(item);
            checkSeller(item);
            standing = items.createIfAbsent(item);
        }
        return standing.map(there -> sameAs(item, there)).orElseGet(() -> new Listing(item, true));
    }

    /**
     * Finds an item that must be there.
     *
     * @param id the item's id
     * @return the item
     * @throws ProblemException of type {@link ProblemType#ITEM_NOT_FOUND}
     */
    public Item get(UUID id) {
        return find(id).orElseThrow(
                        () -> new ProblemException(ProblemType.ITEM_NOT_FOUND, "No item has the id %s.".formatted(id)));
    }

    /**
     * Finds an item that may be there.
     *
     * @param id the item's id
     * @return the item, if listed
     */
    public Optional<Item> find(UUID id) {
        return isTimeUuid(id) ? items.findById(id) : Optional.empty();
    }

    /**
     * Takes one page from the shelf of all items.
     *
     * @param after the last item of the page before, or null for the first page
     * @param size how many items
     * @return the page
     */
    Shelf shelf(@Nullable UUID after, int size) {
        if (after != null) {
            requireTimeUuid("after", after);
        }
        // One more than shown tells whether there is a next page.
        List<Item> found = after == null ? items.firstShelf(size + 1) : items.shelfAfter(after, size + 1);
        return found.size() <= size
                ? new Shelf(found, null)
                : new Shelf(found.subList(0, size), found.get(size - 1).id());
    }

    private static Listing sameAs(Item item, Item standing) {
        List<String> differences = item.differencesFrom(standing);
        if (!differences.isEmpty()) {
            throw new ProblemException(
                            ProblemType.ITEM_CONFLICT,
                            "An item with the id %s is listed already and differs in %s."
                                    .formatted(item.id(), String.join(", ", differences)))
                    .with("differs", differences);
        }
        return new Listing(standing, false);
    }

    private void checkTimes(Item item) {
        requireTimeUuid("id", item.id());
        Instant now = clock.instant();
        if (Instant.ofEpochMilli(Uuids.unixTimestamp(item.id())).isAfter(now.plus(CLOCK_TOLERANCE))) {
            throw invalid("id", "must not carry a time in the future");
        }
        if (!item.endDate().isAfter(now)) {
            throw invalid("endDate", "must be in the future");
        }
        if (item.endDate().isAfter(now.plus(LONGEST_OFFER).plus(CLOCK_TOLERANCE))) {
            throw invalid("endDate", "must be within %d days".formatted(LONGEST_OFFER.toDays()));
        }
    }

    private void checkSeller(Item item) {
        if (users.find(item.sellerId()).isEmpty()) {
            throw new ProblemException(
                    ProblemType.UNKNOWN_SELLER, new FieldProblem("sellerId", "must be a registered user"));
        }
    }

    private static void requireTimeUuid(String field, UUID id) {
        if (!isTimeUuid(id)) {
            throw invalid(field, "must be a version 1 UUID (timeuuid)");
        }
    }

    /** Whether the id carries its time: Cassandra refuses any other UUID as a {@code timeuuid}. */
    static boolean isTimeUuid(UUID id) {
        return id.version() == 1 && id.variant() == 2;
    }

    private static ProblemException invalid(String field, String message) {
        return new ProblemException(ProblemType.INVALID_REQUEST, new FieldProblem(field, message));
    }

    /**
     * What became of a listing.
     *
     * @param item the item as it stands
     * @param isNew whether this call created it
     */
    public record Listing(Item item, boolean isNew) {}

    /**
     * A page of items.
     *
     * @param items the items
     * @param next where the next page starts, or null at the end
     */
    record Shelf(List<Item> items, @Nullable UUID next) {}
}
