package io.surewrite.alledeals.item;

import io.surewrite.alledeals.item.ItemService.Listing;
import io.surewrite.alledeals.item.ListingProgress.State;
import io.surewrite.alledeals.web.FieldProblem;
import io.surewrite.alledeals.web.ProblemException;
import io.surewrite.alledeals.web.ProblemType;
import io.surewrite.alledeals.web.Recent;
import io.surewrite.alledeals.web.Storeroom;
import io.surewrite.alledeals.web.TimeIds;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Service;

/**
 * Takes items to be listed, also while the database is away. Listing takes a condition, which nobody can decide later; so
 * what is kept is the request, a plain write, and it is carried out when it has arrived in the database.
 */
@Service
public class ListingDesk {

    private final ItemService items;
    private final ListingRequestRepository requests;
    private final KeptRequests keptRequests;
    private final Storeroom storeroom;
    private final Clock clock;
    private final Map<UUID, Item> keptHere = Recent.map(10_000);

    ListingDesk(
            ItemService items,
            ListingRequestRepository requests,
            KeptRequests keptRequests,
            Storeroom storeroom,
            Clock clock) {
        this.items = items;
        this.requests = requests;
        this.keptRequests = keptRequests;
        this.storeroom = storeroom;
        this.clock = clock;
    }

    /** Lists an item; empty if the database does not answer and the request is kept: neither done nor refused. */
    public Optional<Listing> list(Item item) {
        TimeIds.require("id", item.id());
        return storeroom.ask(() -> Optional.of(items.list(item)), () -> {
            keptRequests.keep(item);
            keptHere.put(item.id(), item);
            return Optional.empty();
        });
    }

    /** Tells what has become of a request that was kept. */
    ListingProgress progress(Instant bucket, UUID itemId) {
        TimeIds.require("id", itemId);
        requireBucket(bucket);
        Item kept = keptHere.get(itemId);
        if (kept == null || !bucket.equals(ListingRequest.bucketOf(kept)) || isForgotten(kept)) {
            return arrived(bucket, itemId)
                    .orElseThrow(() -> new ProblemException(
                            ProblemType.REQUEST_NOT_FOUND,
                            "No request to list an item %s has arrived from then.".formatted(itemId)));
        }
        ListingProgress waiting = new ListingProgress(State.KEPT, kept, null);
        return storeroom.ask(() -> arrived(bucket, itemId).orElse(waiting), () -> waiting);
    }

    /** Far years are no time that Cassandra knows. */
    private void requireBucket(Instant bucket) {
        if (bucket.isBefore(Instant.EPOCH) || bucket.isAfter(clock.instant().plus(TimeIds.CLOCK_TOLERANCE))) {
            throw new ProblemException(
                    ProblemType.INVALID_REQUEST, new FieldProblem("bucket", "must be a time since 1970 that has come"));
        }
    }

    private boolean isForgotten(Item kept) {
        return kept.startDate().plus(KeptRequests.FORGOTTEN_AFTER).isBefore(clock.instant());
    }

    private Optional<ListingProgress> arrived(Instant bucket, UUID itemId) {
        return requests.findByBucketAndItemId(bucket, itemId)
                .map(ListingRequest::item)
                .map(this::judge);
    }

    private ListingProgress judge(Item wanted) {
        try {
            return items.standing(wanted)
                    .map(listing -> new ListingProgress(State.LISTED, listing.item(), null))
                    .orElseGet(() -> new ListingProgress(State.ARRIVED, wanted, null));
        } catch (ProblemException refusal) {
            return new ListingProgress(State.REFUSED, wanted, refusal.getBody());
        }
    }
}
