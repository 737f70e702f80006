package io.surewrite.lease;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The time from an acquisition in the table to its release or loss. It consists of one hold, or of several that are
 * handed over from waiter to waiter of this process, each with the next fencing token of the block that the acquisition
 * reserved. Its lock is its queue's.
 */
final class Tenure {

    /** More would only be found in the table if none of those later came into effect. Then the lease counts as gone. */
    private static final int MAX_UNCONFIRMED = 32;

    private final LeaseQueue queue;
    private final LeaseParts parts;
    private final LeaseRequest request;
    private final long begunAt;
    private volatile LeaseClaim claim;
    private long token;
    private int handOvers;

    /** The hold that is held, or null after release or loss. */
    private volatile @Nullable HeldLease current;

    /** Until when it is held. */
    private final HoldTerm term;

    private long renewAt;
    private @Nullable CompletableFuture<Boolean> renewal;
    private final OneTimer timer;

    /** Whether the table shows another lease id than ours for sure. */
    private boolean gone;

    /** The lease ids of renewals that nobody has confirmed: the table may show one of them instead of the claim's. */
    private final Set<UUID> unconfirmed = new LinkedHashSet<>();

    /** Whether there were too many of them. */
    private boolean forgotten;

    /** Whether the table may show another ttl than the claim's. */
    private boolean ttlInDoubt;

    /** Whether it ended by itself, not by a release. */
    private boolean ended;

    Tenure(LeaseQueue queue, LeaseParts parts, LeaseRequest request, LeaseClaim claim, long deadline) {
        this.queue = queue;
        this.parts = parts;
        this.request = request;
        this.claim = claim;
        this.timer = new OneTimer(parts.time());
        this.begunAt = now();
        this.token = parts.rules().firstToken(claim.nextEpoch());
        this.term = new HoldTerm(parts, deadline);
        this.renewAt = begunAt + renewPause();
    }

    LeaseClaim claim() {
        return claim;
    }

    @Nullable
    HeldLease current() {
        return current;
    }

    /** Starts the first hold; the lock is held. */
    HeldLease begin() {
        HeldLease lease = newHold();
        schedule();
        return lease;
    }

    boolean isHeld(HeldLease hold) {
        if (looksHeld(hold)) {
            return true;
        }
        noticeEnd(hold);
        return current == hold;
    }

    /** Without taking notice if not. */
    boolean looksHeld(HeldLease hold) {
        return current == hold && !term.isOver() && current == hold;
    }

    /** Whether a timestamp lies above those of all earlier holds, and where the table lets no later hold draw one. */
    boolean covers(long timestamp) {
        LeaseClaim confirmed = claim;
        return timestamp > confirmed.floor() && timestamp <= confirmed.reserved();
    }

    long remaining(HeldLease hold) {
        long left = term.remaining();
        return isHeld(hold) ? Math.max(0, left) : 0;
    }

    /** Renews, or joins the renewal under way. */
    CompletableFuture<Boolean> renew(HeldLease hold, Duration ttl) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Runnable todo;
        synchronized (queue) {
            if (current != hold) {
                return CompletableFuture.completedFuture(false);
            }
            boolean same = ttl.equals(claim.ttl());
            if (renewal != null) {
                return same ? renewal : renewal.thenCompose(unused -> renew(hold, ttl));
            }
            todo = sendRenewal(answer, ttl);
        }
        todo.run();
        return answer;
    }

    /** Ends a hold: hands the lease over, or sends the release, or its ttl if the name is to stay closed. */
    void release(HeldLease hold, @Nullable Duration closedFor) {
        Runnable todo;
        synchronized (queue) {
            if (!hold.startRelease()) {
                return;
            }
            Runnable expiry = current == hold && term.isOver() ? lose(term.reason()) : () -> {};
            boolean held = current == hold;
            Waiter waiter = held && closedFor == null && !ttlInDoubt && mayHandOver() ? queue.nextWith(request) : null;
            if (waiter != null) {
                token = parts.rules().tokenAfterHandOver(token);
                handOvers++;
                term.handOver();
                HeldLease nextHold = newHold();
                todo = () -> {
                    hold.released(ReleaseOutcome.RELEASED);
                    waiter.grant(nextHold, true);
                };
            } else if (gone) {
                todo = () -> hold.released(ReleaseOutcome.NOT_HELD);
            } else {
                if (held) {
                    current = null;
                    timer.stop();
                    queue.leaving();
                }
                CompletableFuture<Boolean> inFlight = renewal;
                todo = () -> {
                    expiry.run();
                    sendRelease(hold, held, closedFor, inFlight);
                };
            }
        }
        todo.run();
    }

    /** Ends a hold under work that still runs: its holder hears that it is lost, and the name is freed. */
    void close(HeldLease hold) {
        Runnable todo;
        synchronized (queue) {
            if (current != hold || term.isOver() || !hold.startRelease()) {
                return;
            }
            current = null;
            timer.stop();
            queue.leaving();
            CompletableFuture<Boolean> inFlight = renewal;
            todo = () -> {
                hold.lost(LossReason.CLOSED);
                sendRelease(hold, true, null, inFlight);
            };
        }
        todo.run();
    }

    // ---- renewal ----

    private void tick() {
        Runnable todo = () -> {};
        synchronized (queue) {
            if (current == null) {
                return;
            }
            if (term.isOver()) {
                todo = lose(term.reason());
            } else {
                if (renewal == null && request.autoRenew() && now() - renewAt >= 0 && !term.isCapped()) {
                    todo = sendRenewal(new CompletableFuture<>(), claim.ttl());
                }
                schedule();
            }
        }
        todo.run();
    }

    /**
     * Goes on under another lease id each time: a renewal that a coordinator took and that comes into effect only after a
     * later one would cut that one short.
     */
    private Runnable sendRenewal(CompletableFuture<Boolean> answer, Duration ttl) {
        renewal = answer;
        long sentAt = now();
        if (!ttl.equals(claim.ttl())) {
            ttlInDoubt = true;
            // Once it is on its way, the shorter ttl of the two counts.
            term.notAfter(parts.rules().deadline(sentAt, sentAt, ttl));
            schedule();
        }
        Set<UUID> heldIds = mayBeShown();
        LeaseClaim next = claim.replacedBy(
                parts.rules().idOfRenewal(claim.leaseId(), parts.ids()), ttl, parts.reserved(claim.reserved(), ttl));
        return () -> parts.store()
                .renew(heldIds, next, parts.settings().attemptTimeout())
                .whenComplete((reply, failure) -> renewed(answer, next, sentAt, reply));
    }

    private void renewed(CompletableFuture<Boolean> answer, LeaseClaim next, long sentAt, @Nullable LeaseAnswer reply) {
        Runnable todo = () -> {};
        boolean confirmed = false;
        synchronized (queue) {
            renewal = null;
            if (reply instanceof LeaseAnswer.Done) {
                claim = next;
                unconfirmed.clear();
                forgotten = false;
                ttlInDoubt = false;
            } else if (!(reply instanceof LeaseAnswer.Refused)) {
                doubt(next.leaseId());
            }
            if (current != null) {
                if (term.isOver()) {
                    todo = lose(term.reason());
                } else if (reply instanceof LeaseAnswer.Done) {
                    confirmed = true;
                    term.confirmedUntil(parts.rules().deadline(sentAt, now(), claim.ttl()));
                    renewAt = sentAt + renewPause();
                    schedule();
                } else if (reply instanceof LeaseAnswer.Refused) {
                    gone = !forgotten;
                    todo = lose(LossReason.GONE);
                } else {
                    term.confirmedUntil(parts.rules().deadlineAfterUnclear(term.confirmedUntil(), sentAt, claim.ttl()));
                    renewAt = now() + Math.min(renewPause() / 4, soon());
                    schedule();
                }
            }
        }
        // Released meanwhile, the lease was prolonged all the same.
        parts.listener().renewed(claim.name(), reply instanceof LeaseAnswer.Done);
        todo.run();
        if (ended && !(reply instanceof LeaseAnswer.Refused)) {
            removeRevived();
        }
        answer.complete(confirmed);
    }

    /** A renewal that was under way when the lease was lost may have brought its row to life again. */
    private void removeRevived() {
        Set<UUID> ids;
        synchronized (queue) {
            ids = mayBeShown();
        }
        parts.store()
                .release(
                        claim,
                        ids,
                        parts.highest(claim.floor()),
                        parts.settings().attemptTimeout())
                .whenComplete((reply, failure) -> {});
    }

    private void doubt(UUID leaseId) {
        if (unconfirmed.size() == MAX_UNCONFIRMED) {
            unconfirmed.remove(unconfirmed.iterator().next());
            forgotten = true;
        }
        unconfirmed.add(leaseId);
        if (ended) {
            queue.abandon(leaseId);
        }
    }

    /** After another ttl was tried the lease may end long before its next renewal would be due. */
    private long soon() {
        return Math.max(parts.settings().pollMin().toNanos(), term.remaining() / 3);
    }

    private Set<UUID> mayBeShown() {
        Set<UUID> ids = new LinkedHashSet<>(unconfirmed);
        ids.add(claim.leaseId());
        return ids;
    }

    private long renewPause() {
        long pause = parts.rules().renewEvery(parts.settings().renewInterval(), claim.ttl());
        return pause - pause / 10 + parts.jittered(pause / 10);
    }

    // ---- the end ----

    void noticeEnd(HeldLease hold) {
        Runnable todo = () -> {};
        synchronized (queue) {
            if (current == hold && term.isOver()) {
                todo = lose(term.reason());
            }
        }
        todo.run();
    }

    private Runnable lose(LossReason reason) {
        HeldLease lost = Objects.requireNonNull(current);
        current = null;
        ended = true;
        timer.stop();
        unconfirmed.forEach(queue::abandon);
        Runnable todo = queue.lost();
        return () -> {
            lost.lost(reason);
            todo.run();
        };
    }

    private void sendRelease(
            HeldLease hold, boolean held, @Nullable Duration closedFor, @Nullable CompletableFuture<Boolean> inFlight) {
        CompletionStage<Boolean> quiet = inFlight == null ? CompletableFuture.completedStage(false) : inFlight;
        quiet.thenCompose(unused -> sendEnd(closedFor))
                .whenComplete((reply, failure) -> released(hold, held, closedFor != null, reply));
    }

    private CompletionStage<LeaseAnswer> sendEnd(@Nullable Duration closedFor) {
        LeaseClaim last;
        Set<UUID> heldIds;
        synchronized (queue) {
            last = claim;
            heldIds = mayBeShown();
        }
        return closedFor == null
                ? parts.store()
                        .release(
                                last,
                                heldIds,
                                parts.highest(last.floor()),
                                parts.settings().attemptTimeout())
                : new Closing(parts, heldIds, last, closedFor).send();
    }

    private void released(HeldLease hold, boolean held, boolean closed, @Nullable LeaseAnswer reply) {
        Runnable todo = () -> {};
        ReleaseOutcome outcome;
        synchronized (queue) {
            // Refused while nobody else could hold it: an earlier run of the same statement has freed it.
            boolean ours = held && (reply instanceof LeaseAnswer.Done || (!closed && !term.isOver()));
            boolean decided = reply instanceof LeaseAnswer.Done || (reply instanceof LeaseAnswer.Refused && !forgotten);
            outcome = !decided ? ReleaseOutcome.UNKNOWN : ours ? ReleaseOutcome.RELEASED : ReleaseOutcome.NOT_HELD;
            if (!decided && !closed) {
                mayBeShown().forEach(queue::abandon);
            }
            if (held) {
                todo = queue.left(begunAt);
            }
        }
        hold.released(outcome);
        todo.run();
    }

    private HeldLease newHold() {
        HeldLease hold = new HeldLease(this, parts, token, term.begunAt());
        current = hold;
        return hold;
    }

    private boolean mayHandOver() {
        return parts.time().clocks().problem() == null
                && parts.rules().mayHandOver(handOvers)
                && claim.ttl().equals(request.ttl())
                && now() - begunAt < parts.settings().handOverTime().toNanos();
    }

    private void schedule() {
        long now = now();
        long untilEnd = term.remaining();
        boolean renews = request.autoRenew() && renewal == null && !term.isCapped();
        long delay = renews ? Math.min(untilEnd, renewAt - now) : untilEnd;
        timer.set(delay, this::tick);
    }

    private long now() {
        return parts.time().nanos();
    }
}
