package io.surewrite.lease;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A caller in the queue of a name. */
final class Waiter {

    /** The request, its ttl filled in. */
    final LeaseRequest request;

    /** Whether the caller waits while another holds the name. */
    final boolean patient;

    /** Becomes the lease, or nothing, or a {@link LeaseUnavailableException}. */
    final CompletableFuture<Optional<Lease>> answer = new CompletableFuture<>();

    private final long since;
    private final LeaseParts parts;
    private final Consumer<AcquireOutcome> ended;
    private volatile @Nullable LeaseUnavailableException trouble;

    Waiter(LeaseRequest request, boolean patient, LeaseParts parts) {
        this.request = request;
        this.patient = patient;
        this.parts = parts;
        this.since = parts.time().nanos();
        this.ended = parts.listener().asked(request);
    }

    void grant(HeldLease lease, boolean handedOver) {
        parts.listener().acquired(lease, waited(), handedOver);
        ended.accept(handedOver ? AcquireOutcome.HANDED_OVER : AcquireOutcome.ACQUIRED);
        answer.complete(Optional.of(lease));
    }

    /** Remembers why the cluster gave no answer, until it gives one. */
    void note(@Nullable LeaseUnavailableException newTrouble) {
        trouble = newTrouble;
    }

    /** Ends the waiting before it has begun. */
    void refuse(RuntimeException failure) {
        parts.listener().notAcquired(request.name(), waited(), false);
        ended.accept(AcquireOutcome.UNKNOWN);
        answer.completeExceptionally(failure);
    }

    /** Ends the waiting without a lease. */
    void giveUp() {
        LeaseUnavailableException lastTrouble = trouble;
        parts.listener().notAcquired(request.name(), waited(), lastTrouble == null);
        ended.accept(lastTrouble == null ? AcquireOutcome.REFUSED : AcquireOutcome.UNKNOWN);
        if (lastTrouble == null) {
            answer.complete(Optional.empty());
        } else {
            answer.completeExceptionally(lastTrouble);
        }
    }

    private Duration waited() {
        return Duration.ofNanos(parts.time().nanos() - since);
    }
}
