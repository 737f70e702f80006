package io.surewrite.lease;

import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Keeps a name closed after its last holder has given it up. For that it stands in the table under another lease id, with
 * a ttl that certainly covers the time; this process, if it lives so long, opens the name when the time is over.
 */
final class Closing {

    /** More than any clock runs fast. */
    private static final int DRIFT_PARTS = 1000;

    private final LeaseParts parts;
    private final Set<UUID> heldIds;
    private final LeaseClaim closed;
    private final CompletableFuture<Boolean> due = new CompletableFuture<>();

    /**
     * Closes a name from now on.
     *
     * @param heldIds those that the table may show
     * @param held the claim that was confirmed last
     * @param closedFor how long
     */
    Closing(LeaseParts parts, Set<UUID> heldIds, LeaseClaim held, Duration closedFor) {
        this.parts = parts;
        this.heldIds = heldIds;
        // The first of the table's whole seconds may be over at once, and the nodes' clocks differ.
        Duration covered = closedFor.plus(parts.settings().skewMargin()).plusNanos(999_999_999);
        this.closed = held.replacedBy(
                parts.ids().get(), Duration.ofSeconds(covered.toSeconds() + 1), parts.highest(held.floor()));
        // A timer, and not the clock of the leases: set forward, that would open the name too early.
        long openAfter = closedFor.plus(closedFor.dividedBy(DRIFT_PARTS)).toNanos();
        parts.time().after(openAfter, () -> due.complete(true));
    }

    CompletionStage<LeaseAnswer> send() {
        return parts.store()
                .renew(heldIds, closed, parts.settings().attemptTimeout())
                .whenComplete((answer, failure) -> {
                    if (answer instanceof LeaseAnswer.Done) {
                        var unused = due.thenRun(this::open);
                    }
                });
    }

    /** Should that fail, the ttl opens it. */
    private void open() {
        parts.store()
                .release(
                        closed,
                        Set.of(closed.leaseId()),
                        closed.reserved(),
                        parts.settings().attemptTimeout())
                .whenComplete((answer, failure) -> {});
    }
}
