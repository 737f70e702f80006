package io.surewrite.lease;

import io.surewrite.internal.observe.Observed;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A caller in the queue of a name. */
final class Waiter {

    /** Its ttl is filled in. */
    final LeaseRequest request;

    /** Becomes the lease, or nothing, or a {@link LeaseUnavailableException}. */
    final CompletableFuture<Optional<Lease>> answer = new CompletableFuture<>();

    private final long since;
    private final LeaseContext context;
    final Observed observed;

    /** Whether the caller waits while another holds the name. Read and changed under the lock of the queue. */
    boolean patient;

    /** How many looks at the name had begun when it came. Read and changed under the lock of the queue. */
    long joined;

    private volatile Sight sight = Sight.NOTHING;

    Waiter(LeaseRequest request, boolean patient, LeaseContext context) {
        this.request = request;
        this.patient = patient;
        this.context = context;
        this.since = context.time().nanos();
        this.observed = context.events().asked(request);
    }

    void grant(HeldLease lease, boolean handedOver) {
        context.events().acquired(this, lease, handedOver);
        answer.complete(Optional.of(lease));
    }

    void saw(Sight newSight) {
        sight = newSight;
    }

    void refuse(RuntimeException failure) {
        context.events().notAcquired(this, failure, false);
        answer.completeExceptionally(failure);
    }

    boolean sawNothing() {
        return sight.equals(Sight.NOTHING);
    }

    @Nullable
    String seenHolder() {
        return sight.holder();
    }

    /** Ends the waiting without a lease: another holds the name, if one was seen. */
    void giveUp() {
        Sight last = sight;
        if (last.isHeld()) {
            boolean told = !context.settings().holder().equals(last.holder());
            context.events().notAcquired(this, null, told);
            answer.complete(Optional.empty());
        } else {
            LeaseUnavailableException trouble = last.trouble();
            refuse(
                    trouble != null
                            ? trouble
                            : new LeaseUnavailableException(
                                    request.name(), "the cluster gave no answer in " + waited(), null));
        }
    }

    /** Ends the waiting of a caller that was interrupted: that says nothing of the name, nor of the cluster. */
    void abandon() {
        context.events().abandoned(this);
        answer.complete(Optional.empty());
    }

    Duration waited() {
        return Duration.ofNanos(context.time().nanos() - since);
    }

    /** What was last learnt of a name: that another holds it, or that the cluster gave no clear answer, or nothing. */
    record Sight(
            boolean isHeld,
            @Nullable String holder,
            @Nullable LeaseUnavailableException trouble) {

        static final Sight NOTHING = new Sight(false, null, null);

        static Sight heldBy(@Nullable String holder) {
            return new Sight(true, holder, null);
        }

        static Sight of(LeaseUnavailableException trouble) {
            return new Sight(false, null, trouble);
        }
    }
}
