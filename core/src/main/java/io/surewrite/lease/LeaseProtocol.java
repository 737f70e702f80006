package io.surewrite.lease;

import io.surewrite.lease.Lease.LossReason;
import io.surewrite.lease.Lease.ReleaseOutcome;
import io.surewrite.lease.LeaseStore.LeaseAnswer;
import io.surewrite.lease.LeaseStore.LeaseRow;
import io.surewrite.lease.LeaseStore.LeaseWrite;
import io.surewrite.lease.Waiter.Sight;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The protocol of one name in this process: of all its callers one contender reaches the cluster. Everything is decided under
 * this object's lock and then done outside it: methods that decide return what is to do.
 */
final class LeaseProtocol {

    /** An attempt that meets another epoch, but no holder, is repeated at once so many times. */
    private static final int QUICK_REPEATS = 4;

    /** After so many renewals in a row without a clear answer the lease counts as lost: each is one more id to ask for. */
    private static final int MAX_UNCONFIRMED = 32;

    /** How long this process may keep a lease by passing it on to its own waiters. */
    private static final long HAND_OVER_NANOS = TimeUnit.SECONDS.toNanos(1);

    static final Runnable NOTHING = () -> {};

    private enum Phase {
        /** No caller waits and nothing is held. */
        IDLE,
        /** A statement for the first waiter is on its way. */
        ASKING,
        /** A timer runs until the next look. */
        PAUSING,
        HOLDING,
        /** The release is on its way. */
        LEAVING,
        /** A new queue takes over. */
        CLOSED
    }

    private final String name;
    private final LeaseContext context;
    private final NameMemory memory;
    private final Consumer<LeaseProtocol> onClosed;
    private final Set<Waiter> waiters = new LinkedHashSet<>();
    private final PollPace pace;

    private Phase phase = Phase.IDLE;
    private @Nullable Tenure tenure;
    private int repeats;

    /** Calls off what ends a pause, or looks after what is held. */
    private @Nullable Runnable timer;

    /** How many times it has begun to find out who has the name. */
    private long looks;

    LeaseProtocol(String name, LeaseContext context, NameMemory memory, Consumer<LeaseProtocol> onClosed) {
        this.name = name;
        this.context = context;
        this.memory = memory;
        this.onClosed = onClosed;
        this.pace = new PollPace(context);
    }

    // ---- its callers ----

    /** Lets a caller in. False if this queue is closed: then ask for the name's queue again. */
    boolean join(Waiter waiter) {
        // After a pause of the process the timer may be late.
        step(() -> tenure == null ? NOTHING : tenure.endIfOver());
        Runnable todo;
        synchronized (this) {
            if (phase == Phase.CLOSED) {
                return false;
            }
            waiter.joined = looks;
            if (phase == Phase.HOLDING) {
                waiter.saw(Sight.heldBy(context.settings().holder()));
            }
            if (!waiter.patient && !waiter.sawNothing()) {
                todo = waiter::giveUp;
            } else {
                waiters.add(waiter);
                todo = phase == Phase.IDLE ? next() : !waiter.patient ? hurry() : NOTHING;
            }
        }
        todo.run();
        return true;
    }

    /** Takes a caller out, unless it has its answer, or is to learn something of the name first and has not. */
    boolean withdraw(Waiter waiter, boolean known) {
        Runnable todo;
        boolean leaves;
        synchronized (this) {
            if (!waiters.contains(waiter)) {
                return false;
            }
            leaves = !known || !waiter.sawNothing();
            if (leaves) {
                waiters.remove(waiter);
                todo = waiters.isEmpty() && phase == Phase.PAUSING ? next() : NOTHING;
            } else {
                waiter.patient = false;
                todo = hurry();
            }
        }
        todo.run();
        return leaves;
    }

    /** A caller that leaves with the next answer gets one now, if nothing is on its way that brings it. */
    private Runnable hurry() {
        Waiter head = first();
        if (phase != Phase.PAUSING || head == null) {
            return NOTHING;
        }
        stopTimer();
        repeats = 0;
        return ask(head);
    }

    synchronized @Nullable HeldLease held() {
        return tenure == null ? null : tenure.current;
    }

    void dismiss() {
        List<Waiter> dismissed;
        synchronized (this) {
            dismissed = List.copyOf(waiters);
            learn(Sight.of(new LeaseUnavailableException(name, "this process is shutting down", null)));
        }
        for (Waiter waiter : dismissed) {
            if (withdraw(waiter, false)) {
                waiter.giveUp();
            }
        }
    }

    // ---- an attempt ----

    private Runnable next() {
        stopTimer();
        Waiter head = first();
        if (head == null) {
            phase = Phase.CLOSED;
            return () -> onClosed.accept(this);
        }
        long courtesy = memory.courtesyLeft(now());
        if (courtesy > 0 && !isHurried()) {
            return pause(courtesy);
        }
        repeats = 0;
        return ask(head);
    }

    private Runnable ask(Waiter head) {
        looks++;
        String apart = context.clocks().problem();
        if (apart != null) {
            return inTrouble(apart, null);
        }
        phase = Phase.ASKING;
        LeaseRequest request = head.request;
        LeaseWrite claim = context.claim(request, memory);
        return () -> {
            long sentAt = now();
            context.store()
                    .acquire(claim, timeout())
                    .whenComplete((answer, failure) -> step(() -> answered(
                            request, claim, sentAt, failure == null ? answer : new LeaseAnswer.Unclear(failure))));
        };
    }

    private Runnable answered(LeaseRequest request, LeaseWrite claim, long sentAt, LeaseAnswer answer) {
        if (answer instanceof LeaseAnswer.Done) {
            return acquired(request, claim, sentAt);
        }
        if (answer instanceof LeaseAnswer.Refused refused) {
            memory.refused(refused);
            return refused.leaseId() == null ? outrun() : meet(refused.leaseId(), null, Duration.ZERO);
        }
        if (answer instanceof LeaseAnswer.Denied denied) {
            return inTrouble(
                    "the cluster refuses the statement: " + denied.cause().getMessage(), denied.cause());
        }
        memory.abandon(claim.leaseId());
        return inTrouble("no clear answer from the cluster", ((LeaseAnswer.Unclear) answer).cause());
    }

    private Runnable acquired(LeaseRequest request, LeaseWrite claim, long sentAt) {
        memory.acquired(claim);
        long now = now();
        pace.acquired(now - sentAt);
        long deadline = context.rules().deadline(sentAt, now, claim.ttl());
        if (now - deadline >= 0) {
            note("the cluster took longer than the lease lasts", null);
            return sendAwayAnd(() -> free(claim.leaseId()));
        }
        Waiter waiter = nextWith(request);
        if (waiter == null) {
            return free(claim.leaseId());
        }
        phase = Phase.HOLDING;
        Tenure begun = new Tenure(request, claim, deadline);
        tenure = begun;
        HeldLease lease = begun.newHold();
        learn(Sight.heldBy(claim.holder()));
        Runnable others = sendAwayAnd(() -> NOTHING);
        return () -> {
            // First of all: the caller waits for nothing else.
            waiter.grant(lease, false);
            others.run();
            step(begun::watched);
        };
    }

    /** The name is free, but another process was there since the last look. */
    private Runnable outrun() {
        Waiter head = first();
        if (head != null && repeats++ < QUICK_REPEATS) {
            return ask(head);
        }
        // Each time another had held it since, but let it go before its name could be read.
        learn(Sight.heldBy(null), looks - QUICK_REPEATS);
        return pauseOrSendAway(pace.next(PollPace.NO_HOLDER, Duration.ZERO));
    }

    /** The name is held, perhaps by an attempt of our own for which no caller waits. */
    private Runnable meet(UUID leaseId, @Nullable String holder, Duration remaining) {
        if (memory.isAbandoned(leaseId)) {
            return free(leaseId);
        }
        memory.sawRival();
        learn(Sight.heldBy(holder), looks);
        return pauseOrSendAway(pace.next(memory.epoch(), remaining));
    }

    private Runnable free(UUID leaseId) {
        phase = Phase.LEAVING;
        learn(Sight.NOTHING);
        return () -> sendRelease(Set.of(leaseId), memory.floor())
                .whenComplete((answer, failure) -> step(() -> {
                    if (answer instanceof LeaseAnswer.Done || answer instanceof LeaseAnswer.Refused) {
                        return next();
                    }
                    memory.abandon(leaseId);
                    note("an attempt of this process for which no caller waits could not be removed", failure);
                    return pauseOrSendAway(pace.next(memory.epoch(), Duration.ZERO));
                }));
    }

    private CompletionStage<LeaseAnswer> sendRelease(Set<UUID> ids, long floor) {
        return context.store().release(name, ids, context.highest(floor), timeout());
    }

    // ---- between two attempts ----

    private Runnable inTrouble(String reason, @Nullable Throwable cause) {
        note(reason, cause);
        return pauseOrSendAway(pace.next(PollPace.NO_HOLDER, Duration.ZERO));
    }

    private Runnable pauseOrSendAway(long nanos) {
        return sendAwayAnd(() -> waiters.isEmpty() || isHurried() ? next() : pause(nanos));
    }

    /** A caller that does not wait is not asked for again, unless it came while the question was on its way. */
    private Runnable sendAwayAnd(Supplier<Runnable> others) {
        if (waiters.isEmpty()) {
            return others.get();
        }
        List<Waiter> sentAway = waiters.stream()
                .filter(waiter -> !waiter.patient && !waiter.sawNothing())
                .toList();
        sentAway.forEach(waiters::remove);
        Runnable todo = others.get();
        return () -> {
            sentAway.forEach(Waiter::giveUp);
            todo.run();
        };
    }

    private Runnable pause(long nanos) {
        phase = Phase.PAUSING;
        setTimer(nanos, this::look);
        return NOTHING;
    }

    private Runnable look() {
        if (phase != Phase.PAUSING) {
            return NOTHING;
        }
        phase = Phase.ASKING;
        looks++;
        return () -> context.store().read(name).whenComplete((row, failure) -> step(() -> looked(row, failure)));
    }

    private Runnable looked(@Nullable LeaseRow row, @Nullable Throwable failure) {
        Waiter head = first();
        if (head == null) {
            return next();
        }
        if (row == null) {
            return inTrouble("the table could not be read", failure);
        }
        memory.saw(row);
        if (row.leaseId() == null) {
            repeats = 0;
            learn(Sight.NOTHING);
            return ask(head);
        }
        return meet(row.leaseId(), row.holder(), row.remaining());
    }

    // ---- what it knows ----

    private void note(String reason, @Nullable Throwable cause) {
        learn(Sight.of(new LeaseUnavailableException(name, reason, cause)), looks);
    }

    /** What is known at this instant takes the place of what was known before. */
    private void learn(Sight learnt) {
        waiters.forEach(waiter -> waiter.saw(learnt));
    }

    /** What a look shows may have been over when a caller came: it tells those that came before the look. */
    private void learn(Sight shown, long look) {
        for (Waiter waiter : waiters) {
            if (context.rules().tells(look, waiter.joined)) {
                waiter.saw(shown);
            }
        }
    }

    private boolean isHurried() {
        return waiters.stream().anyMatch(waiter -> !waiter.patient);
    }

    private @Nullable Waiter first() {
        return waiters.isEmpty() ? null : waiters.iterator().next();
    }

    private @Nullable Waiter nextWith(LeaseRequest request) {
        Waiter head = first();
        if (head == null || !head.request.equals(request)) {
            return null;
        }
        waiters.remove(head);
        return head;
    }

    private void step(Supplier<Runnable> decision) {
        Runnable todo;
        synchronized (this) {
            todo = decision.get();
        }
        todo.run();
    }

    private void setTimer(long nanos, Supplier<Runnable> decision) {
        stopTimer();
        timer = context.time().after(Math.max(0, nanos), () -> step(decision));
    }

    private void stopTimer() {
        if (timer != null) {
            timer.run();
            timer = null;
        }
    }

    private long now() {
        return context.time().nanos();
    }

    private Duration timeout() {
        return context.settings().attemptTimeout();
    }

    /**
     * The time from an acquisition in the table to its release or loss: one hold, or several that are handed over from waiter
     * to waiter of this process, each with the next fencing token of the block that the acquisition reserved.
     */
    final class Tenure {

        private final LeaseRequest request;
        private final long begunAt = now();
        private final long begunAwake = context.time().awakeNanos();
        volatile LeaseWrite claim;

        private long token;
        private int handOvers;

        /** The hold that is held, or null after release or loss. */
        volatile @Nullable HeldLease current;

        private long holdBegunAt = begunAt;
        private long confirmedUntil;
        private volatile long deadline;

        private long renewAt;
        private @Nullable CompletableFuture<Boolean> renewal;

        /** The lease ids of renewals that were not confirmed: the table may show one of them instead of the claim's. */
        private final Set<UUID> unconfirmed = new LinkedHashSet<>();

        /** Whether it ended by itself, not by a release. */
        private boolean ended;

        /** Whether the table has shown its end: a release need not ask again. */
        private boolean gone;

        private Tenure(LeaseRequest request, LeaseWrite claim, long deadline) {
            this.request = request;
            this.claim = claim;
            this.token = context.rules().firstToken(claim.nextEpoch());
            confirm(deadline);
            this.renewAt = begunAt + renewPause();
        }

        private HeldLease newHold() {
            HeldLease hold = new HeldLease(this, context, token, holdBegunAt);
            current = hold;
            return hold;
        }

        // ---- what holders ask ----

        boolean isHeld(HeldLease hold) {
            if (looksHeld(hold)) {
                return true;
            }
            step(() -> current == hold ? endIfOver() : NOTHING);
            return current == hold;
        }

        /** Does not note the end. */
        boolean looksHeld(HeldLease hold) {
            return current == hold && !isOver() && current == hold;
        }

        long remaining(HeldLease hold) {
            long left = timeLeft();
            return isHeld(hold) ? Math.max(0, left) : 0;
        }

        // ---- until when it is held ----

        private void confirm(long until) {
            confirmedUntil = until;
            deadline = isCapped() ? cap() : until;
        }

        /** Whether a renewal could not prolong it any more. */
        private boolean isCapped() {
            return context.settings().maxHold() != null && cap() - confirmedUntil <= 0;
        }

        private long cap() {
            Duration maxHold = context.settings().maxHold();
            return holdBegunAt + (maxHold == null ? 0 : maxHold.toNanos());
        }

        private long timeLeft() {
            return deadline - now();
        }

        private boolean isOver() {
            return timeLeft() <= 0;
        }

        private Runnable watched() {
            if (current != null) {
                schedule();
            }
            return NOTHING;
        }

        private void schedule() {
            boolean renews = request.autoRenew() && renewal == null && !isCapped();
            setTimer(renews ? Math.min(timeLeft(), renewAt - now()) : timeLeft(), this::tick);
        }

        private Runnable tick() {
            if (current == null || isOver()) {
                return endIfOver();
            }
            boolean due = renewal == null && request.autoRenew() && now() - renewAt >= 0 && !isCapped();
            Runnable todo = due ? sendRenewal(new CompletableFuture<>()) : NOTHING;
            schedule();
            return todo;
        }

        // ---- renewal ----

        CompletableFuture<Boolean> renew(HeldLease hold) {
            CompletableFuture<Boolean> answer = new CompletableFuture<>();
            Runnable todo;
            synchronized (LeaseProtocol.this) {
                if (current != hold) {
                    return CompletableFuture.completedFuture(false);
                }
                if (renewal != null) {
                    return renewal;
                }
                todo = sendRenewal(answer);
            }
            todo.run();
            return answer;
        }

        /**
         * Goes on under another lease id each time: a renewal that a coordinator took and that comes into effect only after a
         * later one would cut that one short.
         */
        private Runnable sendRenewal(CompletableFuture<Boolean> answer) {
            renewal = answer;
            long sentAt = now();
            Set<UUID> heldIds = mayBeShown();
            LeaseWrite next = claim.replacedBy(
                    context.rules().idOfRenewal(claim.leaseId(), context.ids()),
                    claim.ttl(),
                    context.reserved(claim.floor(), claim.ttl()));
            return () -> context.store()
                    .renew(heldIds, next, timeout())
                    .whenComplete((reply, failure) -> step(() -> renewed(answer, next, sentAt, reply)));
        }

        private Runnable renewed(
                CompletableFuture<Boolean> answer, LeaseWrite next, long sentAt, @Nullable LeaseAnswer reply) {
            boolean done = reply instanceof LeaseAnswer.Done;
            boolean refused = reply instanceof LeaseAnswer.Refused;
            renewal = null;
            if (done) {
                claim = next;
                unconfirmed.clear();
            } else if (!refused) {
                unconfirmed.add(next.leaseId());
                if (ended && mayOpen()) {
                    memory.abandon(next.leaseId());
                }
            }
            Runnable loss = endIfOver();
            boolean held = current != null;
            if (held && refused) {
                gone = true;
                loss = lose(LossReason.GONE);
            } else if (held && unconfirmed.size() > MAX_UNCONFIRMED) {
                loss = lose(LossReason.EXPIRED);
            } else if (held) {
                confirm(
                        done
                                ? context.rules().deadline(sentAt, now(), claim.ttl())
                                : context.rules().deadlineAfterUnclear(confirmedUntil, sentAt, claim.ttl()));
                renewAt = done ? sentAt + renewPause() : now() + renewPause() / 4;
                schedule();
            }
            Runnable lost = loss;
            // A renewal that was under way when the lease was lost may have brought its row to life again.
            Set<UUID> revived = ended && !refused && mayOpen() ? mayBeShown() : Set.of();
            return () -> {
                // Released meanwhile, the lease was prolonged all the same.
                context.events().renewed(name, done, done || refused);
                lost.run();
                if (!revived.isEmpty()) {
                    var unused = sendRelease(revived, claim.floor());
                }
                answer.complete(done && held);
            };
        }

        private Duration closedFor() {
            return context.rules()
                    .closedFor(request.holdAtLeast(), context.time().awakeNanos() - begunAwake);
        }

        /** Whether what is left of the lease in the table may be removed; otherwise its ttl is to open the name. */
        private boolean mayOpen() {
            return closedFor().isZero();
        }

        private Set<UUID> mayBeShown() {
            if (unconfirmed.isEmpty()) {
                return Set.of(claim.leaseId());
            }
            Set<UUID> ids = new LinkedHashSet<>(unconfirmed);
            ids.add(claim.leaseId());
            return ids;
        }

        private long renewPause() {
            long pause = context.rules().renewEvery(claim.ttl());
            return pause - pause / 10 + context.jittered(pause / 10);
        }

        // ---- loss ----

        private Runnable endIfOver() {
            return current == null || !isOver() ? NOTHING : lose(isCapped() ? LossReason.MAX_HOLD : LossReason.EXPIRED);
        }

        private Runnable lose(LossReason reason) {
            HeldLease lost = Objects.requireNonNull(current);
            current = null;
            ended = true;
            tenure = null;
            stopTimer();
            if (mayOpen()) {
                unconfirmed.forEach(memory::abandon);
            }
            learn(Sight.NOTHING);
            Runnable todo = waiters.isEmpty() ? next() : pause(pace.shortest());
            return () -> {
                lost.lost(reason);
                todo.run();
            };
        }

        // ---- release ----

        void release(HeldLease hold) {
            step(() -> {
                if (!hold.startRelease()) {
                    return NOTHING;
                }
                Runnable expiry = current == hold ? endIfOver() : NOTHING;
                boolean held = current == hold;
                Waiter waiter = held && mayHandOver() ? nextWith(request) : null;
                if (waiter != null) {
                    token = context.rules().tokenAfterHandOver(token);
                    handOvers++;
                    holdBegunAt = now();
                    confirm(confirmedUntil);
                    HeldLease handedOver = newHold();
                    return () -> {
                        hold.released(ReleaseOutcome.RELEASED);
                        waiter.grant(handedOver, true);
                    };
                }
                if (gone) {
                    return () -> hold.released(ReleaseOutcome.NOT_HELD);
                }
                Runnable release = leave(hold);
                return () -> {
                    expiry.run();
                    release.run();
                };
            });
        }

        private boolean mayHandOver() {
            return context.rules().handsOver(request)
                    && context.clocks().problem() == null
                    && context.rules().mayHandOver(handOvers)
                    && now() - begunAt < HAND_OVER_NANOS;
        }

        /** Ends a hold under work that still runs: its holder is told that it is lost, and the name is freed. */
        void close(HeldLease hold) {
            step(() -> {
                if (current != hold || isOver() || !hold.startRelease()) {
                    return NOTHING;
                }
                Runnable release = leave(hold);
                return () -> {
                    hold.lost(LossReason.CLOSED);
                    release.run();
                };
            });
        }

        /** The release goes out when no renewal is on its way any more. */
        private Runnable leave(HeldLease hold) {
            Duration closedFor = closedFor();
            boolean held = current == hold;
            if (held) {
                current = null;
                tenure = null;
                phase = Phase.LEAVING;
                stopTimer();
            }
            CompletionStage<Boolean> quiet = renewal == null ? CompletableFuture.completedStage(false) : renewal;
            return () -> quiet.thenCompose(unused -> sendEnd(closedFor))
                    .whenComplete((reply, failure) -> step(() -> released(hold, held, !closedFor.isZero(), reply)));
        }

        private CompletionStage<LeaseAnswer> sendEnd(Duration closedFor) {
            LeaseWrite last;
            Set<UUID> heldIds;
            synchronized (LeaseProtocol.this) {
                last = claim;
                heldIds = mayBeShown();
            }
            return closedFor.isZero() ? sendRelease(heldIds, last.floor()) : keepClosed(last, heldIds, closedFor);
        }

        /**
         * Keeps the name closed. For that it stands in the table under another lease id, with a ttl that certainly covers the
         * time; this process, if it lives so long, opens the name when the time is over. Should that fail, the ttl opens it.
         */
        private CompletionStage<LeaseAnswer> keepClosed(LeaseWrite last, Set<UUID> heldIds, Duration closedFor) {
            LeaseWrite closed = last.replacedBy(
                    context.ids().get(), context.rules().covering(closedFor), context.highest(last.floor()));
            // A timer, and not the clock of the leases: set forward, that would open the name too early.
            CompletableFuture<Boolean> due = new CompletableFuture<>();
            context.time()
                    .after(
                            closedFor
                                    .plus(closedFor.dividedBy(DeadlinesAndTokens.DRIFT_PARTS))
                                    .toNanos(),
                            () -> due.complete(true));
            return context.store().renew(heldIds, closed, timeout()).whenComplete((answer, failure) -> {
                if (answer instanceof LeaseAnswer.Done) {
                    var unused = due.thenCompose(over ->
                            context.store().release(name, Set.of(closed.leaseId()), closed.reserved(), timeout()));
                }
            });
        }

        private Runnable released(HeldLease hold, boolean held, boolean closed, @Nullable LeaseAnswer reply) {
            boolean done = reply instanceof LeaseAnswer.Done;
            // Refused while no other process could hold it: an earlier run of the same statement has freed it.
            boolean ours = held && (done || (!closed && !isOver()));
            boolean decided = done || reply instanceof LeaseAnswer.Refused;
            ReleaseOutcome outcome =
                    !decided ? ReleaseOutcome.UNKNOWN : ours ? ReleaseOutcome.RELEASED : ReleaseOutcome.NOT_HELD;
            if (!decided && !closed) {
                mayBeShown().forEach(memory::abandon);
            }
            return () -> {
                // First of all: its holder waits for nothing else.
                hold.released(outcome);
                if (held) {
                    step(this::left);
                }
            };
        }

        private Runnable left() {
            long now = now();
            memory.left(begunAt, now, pace.courtesy(now - begunAt));
            learn(Sight.NOTHING);
            return next();
        }
    }
}
