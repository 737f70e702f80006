package io.surewrite.lease;

import io.surewrite.lease.Waiter.Sight;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The callers of this process that want one name, first come, first served. However many they are, only one contender
 * reaches the cluster.
 *
 * <p>Everything is decided under this object's lock and then done outside it: methods that decide return what is to do.
 */
final class LeaseQueue {

    /** An attempt that meets another epoch, but no holder, is repeated at once so many times. */
    private static final int QUICK_REPEATS = 4;

    private enum Phase {
        /** Nobody waits and nothing is held. */
        IDLE,
        /** A statement for the first waiter is on its way. */
        ASKING,
        /** Another holds the name; a timer runs until the next look. */
        PAUSING,
        /** This process holds the name. */
        HOLDING,
        /** The release is on its way. */
        LEAVING,
        /** Out of use; a new queue takes over. */
        CLOSED
    }

    private final String name;
    private final LeaseParts parts;
    private final NameMemory memory;
    private final Consumer<LeaseQueue> onClosed;
    private final Set<Waiter> waiters = new LinkedHashSet<>();
    private final PollPace pace;

    private Phase phase = Phase.IDLE;
    private @Nullable Tenure tenure;
    private final OneTimer timer;
    private int repeats;

    /** What was last learnt of the name. */
    private Sight sight = Sight.NOTHING;

    /** How many waiters leave with the next answer. */
    private int hurried;

    LeaseQueue(String name, LeaseParts parts, NameMemory memory, Consumer<LeaseQueue> onClosed) {
        this.name = name;
        this.parts = parts;
        this.memory = memory;
        this.onClosed = onClosed;
        this.pace = new PollPace(parts);
        this.timer = new OneTimer(parts.time());
    }

    /** Lets a caller in. False if this queue is closed: then ask for the name's queue again. */
    boolean join(Waiter waiter) {
        HeldLease held = held();
        if (held != null) {
            held.noticeEnd();
        }
        Runnable todo;
        synchronized (this) {
            if (phase == Phase.CLOSED) {
                return false;
            }
            if (phase != Phase.ASKING) {
                // As old as the pause between two looks at most.
                waiter.saw(sight);
            }
            if (!waiter.patient && !waiter.sawNothing()) {
                todo = waiter::giveUp;
            } else {
                add(waiter);
                todo = phase == Phase.IDLE ? next() : !waiter.patient ? hurry() : () -> {};
            }
        }
        todo.run();
        return true;
    }

    /** Takes a caller out. False if it has its answer already. */
    boolean withdraw(Waiter waiter) {
        Runnable todo = () -> {};
        synchronized (this) {
            if (!remove(waiter)) {
                return false;
            }
            if (waiters.isEmpty() && phase == Phase.PAUSING) {
                todo = next();
            }
        }
        todo.run();
        return true;
    }

    /**
     * The time of a caller is up. One that has learnt nothing of the name so far stays until the next answer. False if
     * it stays, or has its answer already.
     */
    boolean timeIsUp(Waiter waiter) {
        Runnable todo;
        synchronized (this) {
            if (!waiters.contains(waiter)) {
                return false;
            }
            if (waiter.sawNothing()) {
                if (waiter.patient) {
                    waiter.patient = false;
                    hurried++;
                }
                todo = hurry();
            } else {
                todo = null;
            }
        }
        if (todo == null) {
            return withdraw(waiter);
        }
        todo.run();
        return false;
    }

    /** Whoever leaves with the next answer gets one now, if nothing is on its way that brings it. */
    private Runnable hurry() {
        Waiter head = first();
        if (phase != Phase.PAUSING || head == null) {
            return () -> {};
        }
        timer.stop();
        repeats = 0;
        return ask(head);
    }

    /** {@return what this process holds of the name, or null} */
    synchronized @Nullable HeldLease held() {
        return tenure == null ? null : tenure.current();
    }

    /** Sends all waiters away. */
    void dismiss() {
        List<Waiter> dismissed;
        synchronized (this) {
            dismissed = List.copyOf(waiters);
            learn(Sight.of(new LeaseUnavailableException(name, "this process is shutting down", null)));
        }
        for (Waiter waiter : dismissed) {
            if (withdraw(waiter)) {
                waiter.giveUp();
            }
        }
    }

    // ---- what a tenure tells; called with the lock held ----

    /** Takes the first waiter, if the lease can be passed on to it as it is. */
    @Nullable
    Waiter nextWith(LeaseRequest request) {
        Waiter head = first();
        if (head == null || !head.request.equals(request)) {
            return null;
        }
        remove(head);
        return head;
    }

    void leaving() {
        phase = Phase.LEAVING;
        tenure = null;
    }

    Runnable left(long begunAt) {
        long now = parts.time().nanos();
        memory.left(begunAt, now, pace.courtesy(now - begunAt));
        learn(Sight.NOTHING);
        return next();
    }

    Runnable lost() {
        tenure = null;
        learn(Sight.NOTHING);
        return waiters.isEmpty() ? next() : pause(pace.shortest());
    }

    void abandon(UUID leaseId) {
        memory.abandon(leaseId);
    }

    // ---- the way to the cluster ----

    private void step(Supplier<Runnable> decision) {
        Runnable todo;
        synchronized (this) {
            todo = decision.get();
        }
        todo.run();
    }

    private Runnable next() {
        timer.stop();
        Waiter head = first();
        if (head == null) {
            phase = Phase.CLOSED;
            return () -> onClosed.accept(this);
        }
        long courtesy = memory.courtesyLeft(parts.time().nanos());
        if (hurried == 0 && courtesy > 0) {
            return pause(courtesy);
        }
        repeats = 0;
        return ask(head);
    }

    private Runnable ask(Waiter head) {
        String apart = parts.time().clocks().problem();
        if (apart != null) {
            note(new LeaseUnavailableException(name, apart, null));
            return pauseOrSendAway(pace.next(PollPace.NOBODY, Duration.ZERO));
        }
        phase = Phase.ASKING;
        LeaseRequest request = head.request;
        LeaseClaim claim = parts.claim(request, memory);
        return () -> {
            long sentAt = parts.time().nanos();
            parts.store()
                    .acquire(claim, parts.settings().attemptTimeout())
                    .whenComplete((answer, failure) -> step(() -> answered(
                            request, claim, sentAt, failure == null ? answer : new LeaseAnswer.Unclear(failure))));
        };
    }

    private Runnable answered(LeaseRequest request, LeaseClaim claim, long sentAt, LeaseAnswer answer) {
        if (answer instanceof LeaseAnswer.Done) {
            return parts.rules().mustProve(claim) ? prove(request, claim, sentAt) : acquired(request, claim, sentAt);
        }
        if (answer instanceof LeaseAnswer.Refused refused) {
            memory.refused(refused);
            return refused.leaseId() == null ? outrun() : meet(refused.leaseId(), null, Duration.ZERO);
        }
        if (answer instanceof LeaseAnswer.Denied denied) {
            note(new LeaseUnavailableException(
                    name, "the cluster refuses the statement: " + denied.cause().getMessage(), denied.cause()));
            return pauseOrSendAway(pace.next(PollPace.NOBODY, Duration.ZERO));
        }
        memory.abandon(claim.leaseId());
        Throwable cause = ((LeaseAnswer.Unclear) answer).cause();
        note(new LeaseUnavailableException(name, "no clear answer from the cluster", cause));
        return pauseOrSendAway(pace.next(PollPace.NOBODY, Duration.ZERO));
    }

    /**
     * The row was made anew, or no process has looked at the floor since it was: the name may have had higher tokens in a row
     * that was removed. All such rows are gone by now, so that the floor shows it now.
     */
    private Runnable prove(LeaseRequest request, LeaseClaim claim, long sentAt) {
        memory.made(claim);
        return () -> parts.store()
                .floor()
                .whenComplete((floor, failure) -> step(() -> compared(request, claim, sentAt, floor, failure)));
    }

    private Runnable compared(
            LeaseRequest request, LeaseClaim claim, long sentAt, @Nullable Long floor, @Nullable Throwable failure) {
        if (floor == null) {
            long now = parts.time().nanos();
            if (now - sentAt < parts.settings().attemptTimeout().toNanos()) {
                return () -> parts.time().after(pace.shortest(), () -> step(() -> prove(request, claim, sentAt)));
            }
            note(new LeaseUnavailableException(name, "the table could not be read", failure));
            return sendAwayAnd(() -> free(claim.leaseId()));
        }
        memory.sawEpochFloor(floor);
        if (parts.rules().liesAbove(floor, claim)) {
            return acquired(request, claim, sentAt);
        }
        return free(claim.leaseId());
    }

    private Runnable acquired(LeaseRequest request, LeaseClaim claim, long sentAt) {
        memory.acquired(claim);
        long now = parts.time().nanos();
        pace.acquired(now - sentAt);
        long deadline = parts.rules().deadline(sentAt, now, claim.ttl());
        boolean late = now - deadline >= 0;
        Waiter waiter = late ? null : nextWith(request);
        if (waiter == null) {
            if (late) {
                note(new LeaseUnavailableException(name, "the cluster took longer than the lease lasts", null));
                return sendAwayAnd(() -> free(claim));
            }
            return free(claim);
        }
        phase = Phase.HOLDING;
        tenure = new Tenure(this, parts, request, claim, deadline);
        HeldLease lease = tenure.begin();
        learn(Sight.heldBy(claim.holder()));
        Runnable granted = () -> waiter.grant(lease, false);
        return hurried == 0 ? granted : sendAwayAnd(() -> granted);
    }

    /** The name is free, but somebody was there since we last looked. */
    private Runnable outrun() {
        Waiter head = first();
        if (head != null && repeats++ < QUICK_REPEATS) {
            return ask(head);
        }
        // Each time another had held it since, but let it go before its name could be read.
        learn(Sight.heldBy(null));
        return pauseOrSendAway(pace.next(PollPace.NOBODY, Duration.ZERO));
    }

    /** Somebody holds the name, and be it an attempt of our own that nobody waits for. */
    private Runnable meet(UUID leaseId, @Nullable String holder, Duration remaining) {
        if (memory.isAbandoned(leaseId)) {
            return free(leaseId);
        }
        memory.sawRival();
        learn(Sight.heldBy(holder));
        return pauseOrSendAway(pace.next(memory.epoch(), remaining));
    }

    private Runnable free(LeaseClaim claim) {
        return free(
                claim.leaseId(),
                () -> parts.store()
                        .release(
                                claim,
                                Set.of(claim.leaseId()),
                                parts.highest(memory.floor()),
                                parts.settings().attemptTimeout()));
    }

    /** Whether its epoch is proven is not known. */
    private Runnable free(UUID leaseId) {
        return free(
                leaseId,
                () -> parts.store()
                        .release(
                                name,
                                Set.of(leaseId),
                                parts.highest(memory.floor()),
                                parts.settings().attemptTimeout()));
    }

    private Runnable free(UUID leaseId, Supplier<CompletionStage<LeaseAnswer>> release) {
        phase = Phase.LEAVING;
        learn(Sight.NOTHING);
        return () -> release.get()
                .whenComplete((answer, failure) -> step(() -> {
                    if (answer instanceof LeaseAnswer.Done || answer instanceof LeaseAnswer.Refused) {
                        return next();
                    }
                    memory.abandon(leaseId);
                    note(new LeaseUnavailableException(
                            name, "an attempt of this process that nobody waits for could not be removed", failure));
                    return pauseOrSendAway(pace.next(memory.epoch(), Duration.ZERO));
                }));
    }

    private Runnable pauseOrSendAway(long nanos) {
        return sendAwayAnd(() -> waiters.isEmpty() ? next() : pause(nanos));
    }

    /** Who does not wait has an answer by now, and is not asked for again. */
    private Runnable sendAwayAnd(Supplier<Runnable> others) {
        List<Waiter> sentAway = hurried == 0
                ? List.of()
                : waiters.stream().filter(w -> !w.patient).toList();
        sentAway.forEach(this::remove);
        Runnable todo = others.get();
        return () -> {
            sentAway.forEach(Waiter::giveUp);
            todo.run();
        };
    }

    private Runnable pause(long nanos) {
        phase = Phase.PAUSING;
        timer.set(nanos, () -> step(this::look));
        return () -> {};
    }

    private Runnable look() {
        if (phase != Phase.PAUSING) {
            return () -> {};
        }
        phase = Phase.ASKING;
        return () -> parts.store().read(name).whenComplete((row, failure) -> step(() -> looked(row, failure)));
    }

    private Runnable looked(@Nullable LeaseRow row, @Nullable Throwable failure) {
        Waiter head = first();
        if (head == null) {
            return next();
        }
        if (row == null) {
            note(new LeaseUnavailableException(name, "the table could not be read", failure));
            return pauseOrSendAway(pace.next(PollPace.NOBODY, Duration.ZERO));
        }
        memory.saw(row);
        if (row.leaseId() == null) {
            repeats = 0;
            learn(Sight.NOTHING);
            return ask(head);
        }
        return meet(row.leaseId(), row.holder(), row.remaining());
    }

    private void note(LeaseUnavailableException trouble) {
        learn(Sight.of(trouble));
    }

    /** Whatever is learnt of the name takes the place of what was known before. */
    private void learn(Sight learnt) {
        sight = learnt;
        for (Waiter waiter : waiters) {
            waiter.saw(learnt);
        }
    }

    private void add(Waiter waiter) {
        waiters.add(waiter);
        hurried += waiter.patient ? 0 : 1;
    }

    private boolean remove(Waiter waiter) {
        boolean removed = waiters.remove(waiter);
        hurried -= removed && !waiter.patient ? 1 : 0;
        return removed;
    }

    private @Nullable Waiter first() {
        return waiters.isEmpty() ? null : waiters.iterator().next();
    }
}
