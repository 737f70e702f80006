package io.surewrite.alledeals.item;

import io.surewrite.alledeals.begun.TimeBuckets;
import io.surewrite.alledeals.user.UserService;
import io.surewrite.alledeals.web.FieldProblem;
import io.surewrite.alledeals.web.Gathering;
import io.surewrite.alledeals.web.ProblemException;
import io.surewrite.alledeals.web.ProblemType;
import io.surewrite.alledeals.web.TimeIds;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Lists items and finds them. */
@Service
public class ItemService {

    private final ItemRepository items;
    private final Listings listings;
    private final BegunItemRepository begun;
    private final UserService users;
    private final Clock clock;
    private final Gathering<UUID, UUID> listingUpdates;
    private final Gathering<UUID, CompletableFuture<Optional<Item>>> reads;

    ItemService(ItemRepository items, Listings listings, BegunItemRepository begun, UserService users, Clock clock) {
        this.items = items;
        this.listings = listings;
        this.begun = begun;
        this.users = users;
        this.clock = clock;
        this.listingUpdates = new Gathering<>(
                1, Integer.MAX_VALUE, (id, all) -> listings.lastState(id).ifPresent(listings::write));
        this.reads = new Gathering<>(1, Integer.MAX_VALUE, (id, readers) -> {
            Optional<Item> found = items.findById(id);
            readers.forEach(reader -> reader.complete(found));
        });
    }

    /**
     * Lists an item under the id that its client made: in the master table by one lightweight transaction, then in all
     * listings by one batch, which may wait in the backlog. The same item again changes nothing, also when its offer has ended meanwhile: that is why the rules that look at the clock come after the look at what is there.
     */
    public Listing list(Item item) {
        Listing listing = standing(item).orElseGet(() -> create(item));
        updateListings(item.id());
        return listing;
    }

    /** Looks at what {@link #list} would say, and writes nothing. */
    Optional<Listing> standing(Item item) {
        Optional<Listing> standing = find(item.id()).map(there -> sameAs(item, there));
        if (standing.isEmpty()) {
            checkTimes(item);
            checkSeller(item);
        }
        return standing;
    }

    private Listing create(Item item) {
        begun.save(new BegunItem(TimeBuckets.of(clock.instant()), item.id()));
        return items.create(item, null) ? new Listing(item, true) : sameAs(item, get(item.id()));
    }

    /** Brings the listings of an item up to date with the item. Many calls at once share few updates. */
    public void updateListings(UUID itemId) {
        listingUpdates.run(itemId, itemId);
    }

    /** Brings the listings of an item up to date if they are not. */
    public boolean catchUpListings(UUID itemId) {
        if (listings.areUpToDate(itemId)) {
            return false;
        }
        updateListings(itemId);
        return true;
    }

    /** Finds an item that must be there. */
    public Item get(UUID id) {
        return find(id).orElseThrow(
                        () -> new ProblemException(ProblemType.ITEM_NOT_FOUND, "No item has the id %s.".formatted(id)));
    }

    /** Finds an item that may be there. Many who look at one item at once share few reads. */
    public Optional<Item> find(UUID id) {
        if (!TimeIds.isTimeUuid(id)) {
            return Optional.empty();
        }
        CompletableFuture<Optional<Item>> found = new CompletableFuture<>();
        reads.run(id, found);
        return found.join();
    }

    /** Takes one page from the shelf of all items. */
    Shelf shelf(@Nullable UUID after, int size) {
        if (after != null) {
            TimeIds.require("after", after);
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
        Instant now = clock.instant();
        TimeIds.requireNew("id", item.id(), now);
        if (!item.endDate().isAfter(now)) {
            throw invalid("endDate", "must be in the future");
        }
        if (item.endDate().isAfter(now.plus(ListingTerm.LISTED_FOR).plus(TimeIds.CLOCK_TOLERANCE))) {
            throw invalid("endDate", "must be within %d days".formatted(ListingTerm.LISTED_FOR.toDays()));
        }
    }

    private void checkSeller(Item item) {
        if (users.find(item.sellerId()).isEmpty()) {
            throw new ProblemException(
                    ProblemType.UNKNOWN_SELLER, new FieldProblem("sellerId", "must be a registered user"));
        }
    }

    private static ProblemException invalid(String field, String message) {
        return new ProblemException(ProblemType.INVALID_REQUEST, new FieldProblem(field, message));
    }

    /** What became of a listing. */
    public record Listing(Item item, boolean isNew) {}

    /** A page of items. */
    record Shelf(List<Item> items, @Nullable UUID next) {}
}
