package io.surewrite.alledeals.item;

import io.surewrite.alledeals.begun.Unfinished;
import io.surewrite.alledeals.web.ProblemException;
import java.time.Instant;
import org.springframework.stereotype.Component;

/** Requests to list an item that have arrived in the database and are no items yet. */
@Component
class UnfinishedRequests implements Unfinished {

    private final ListingRequestRepository requests;
    private final ItemService items;

    UnfinishedRequests(ListingRequestRepository requests, ItemService items) {
        this.requests = requests;
        this.items = items;
    }

    @Override
    public int finish(Instant bucket) {
        return Math.toIntExact(requests.findByBucket(bucket).stream()
                .map(ListingRequest::item)
                .filter(this::list)
                .count());
    }

    private boolean list(Item wanted) {
        try {
            return items.standing(wanted).isEmpty() && items.list(wanted).isNew();
        } catch (ProblemException refusal) {
            return false; // who asked sees why when looking for what became of it
        }
    }
}
