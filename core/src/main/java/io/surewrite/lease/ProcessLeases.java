package io.surewrite.lease;

import io.surewrite.internal.session.DriverFailures;
import io.surewrite.lease.Lease.ReleaseOutcome;
import io.surewrite.lease.LeaseLocks.CloseableLeaseLocks;
import io.surewrite.lease.LeaseStore.LeaseRow;
import io.surewrite.write.ClockOffsetException;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteHolds;
import io.surewrite.write.WriteScope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ConcurrentLruCache;

/** The leases of one process: one protocol for each name, made when it is needed. All ways to ask for a lease enter here. */
final class ProcessLeases implements CloseableLeaseLocks {

    private static final int REMEMBERED_NAMES = 10_000;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final LeaseContext context;
    private final Runnable onClose;
    private final ConcurrentLruCache<String, NameMemory> memories =
            new ConcurrentLruCache<>(REMEMBERED_NAMES, name -> new NameMemory());
    private final ConcurrentMap<String, LeaseProtocol> protocols = new ConcurrentHashMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    ProcessLeases(LeaseContext context, Runnable onClose) {
        this.context = context;
        this.onClose = onClose;
    }

    // ---- for callers that block ----

    @Override
    public Optional<Lease> tryAcquire(LeaseRequest request) {
        return bound(uninterrupted(enterToBlock(request, 0)));
    }

    @Override
    public Optional<Lease> tryAcquire(LeaseRequest request, Duration wait) throws InterruptedException {
        return bound(awaited(request, wait));
    }

    @Override
    public Lease acquire(LeaseRequest request, Duration wait) throws InterruptedException {
        requireNotHeldByThisThread(request.name());
        Waiter waiter = awaited(request, wait);
        return bound(waiter)
                .orElseThrow(() -> new LeaseNotAcquiredException(request.name(), wait, holderSeenBy(waiter, wait)));
    }

    /** It would wait for itself. */
    private void requireNotHeldByThisThread(String name) {
        if (LeaseAssert.isUnder(lease -> lease instanceof HeldLease own && own.isIn(context, name))) {
            throw new IllegalStateException(
                    "Lease '%s': this thread holds it itself; a lease is not reentrant. Fix: annotate the outer method only, or lock one LeaseLock at both places"
                            .formatted(name));
        }
    }

    /** The thread that waited for a lease works under it. */
    private static Optional<Lease> bound(Waiter waiter) {
        Optional<Lease> lease = DriverFailures.joined(waiter.answer);
        lease.ifPresent(mine -> ((HeldLease) mine).bind());
        return lease;
    }

    private Waiter enterToBlock(LeaseRequest request, long nanos) {
        WriteHolds.forgetLost(request.name());
        return enter(request, nanos);
    }

    private Waiter awaited(LeaseRequest request, Duration wait) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        long nanos = LeaseTime.nanos(wait);
        Waiter waiter = enterToBlock(request, nanos);
        try {
            end(waiter, nanos);
        } catch (InterruptedException interrupted) {
            leave(waiter, false, Waiter::abandon);
            // Granted at the last moment: no caller is there to take it.
            var unused = waiter.answer.thenAccept(lease -> lease.ifPresent(Lease::releaseAsync));
            throw interrupted;
        }
        return waiter;
    }

    /** A caller that blocks needs no timer: this thread ends its own waiting. */
    private void end(Waiter waiter, long nanos) throws InterruptedException {
        if (nanos > 0 && !isAnswered(waiter, nanos)) {
            leave(waiter, true, Waiter::giveUp);
        }
        if (!isAnswered(waiter, oneAttempt())) {
            leave(waiter, false, Waiter::giveUp);
        }
    }

    private static boolean isAnswered(Waiter waiter, long nanos) throws InterruptedException {
        try {
            waiter.answer.get(nanos, TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException late) {
            return false;
        } catch (ExecutionException failed) {
            return true; // thrown to the caller by what takes the answer
        }
    }

    private Waiter uninterrupted(Waiter waiter) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    end(waiter, 0);
                    return waiter;
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What a refusal does not show is read for the message; what cannot be read in time is left out. */
    private @Nullable String holderSeenBy(Waiter waiter, Duration wait) {
        String seen = waiter.seenHolder();
        if (seen != null) {
            return seen;
        }
        long left = LeaseTime.nanos(wait) + oneAttempt() - waiter.waited().toNanos();
        try {
            return context.store()
                    .read(waiter.request.name())
                    .toCompletableFuture()
                    .get(left, TimeUnit.NANOSECONDS)
                    .holder();
        } catch (ExecutionException | TimeoutException unread) {
            return null;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    // ---- for callers that do not block ----

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync(LeaseRequest request, Duration wait) {
        long nanos = LeaseTime.nanos(wait);
        Waiter waiter = enter(request, nanos);
        limit(waiter, nanos);
        return context.handOut(waiter.answer);
    }

    // ---- several names ----

    /** One name after the other in an order that is the same in every process, so that no two wait for each other. */
    @Override
    public Optional<Leases> tryAcquireAll(Collection<String> names, Duration wait) throws InterruptedException {
        if (names.isEmpty()) {
            throw new IllegalArgumentException("No names to acquire");
        }
        // All are checked before the first is asked for.
        List<LeaseRequest> requests =
                new TreeSet<>(names).stream().map(LeaseRequest::of).toList();
        long giveUpAt = context.time().nanos() + LeaseTime.nanos(wait);
        AcquiredLeases acquired = new AcquiredLeases(new ArrayList<>());
        boolean complete = false;
        try {
            for (LeaseRequest request : requests) {
                Optional<Lease> lease = tryAcquire(
                        request, Duration.ofNanos(giveUpAt - context.time().nanos()));
                if (lease.isEmpty()) {
                    return Optional.empty();
                }
                acquired.all().add(lease.get());
            }
            complete = acquired.isHeld();
        } finally {
            if (!complete) {
                acquired.close();
            }
        }
        return complete ? Optional.of(acquired) : Optional.empty();
    }

    private record AcquiredLeases(List<Lease> all) implements Leases {

        @Override
        public Lease get(String name) {
            return all.stream()
                    .filter(lease -> lease.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("No lease of '%s' among %s".formatted(name, all)));
        }

        @Override
        public boolean isHeld() {
            return all.stream().allMatch(Lease::isHeld);
        }

        @Override
        public void close() {
            List<CompletionStage<ReleaseOutcome>> answers = new ArrayList<>();
            for (int i = all.size() - 1; i >= 0; i--) {
                answers.add(all.get(i).releaseAsync());
            }
            answers.forEach(answer -> answer.toCompletableFuture().join());
        }
    }

    // ---- work under a lease ----

    @Override
    public <T extends @Nullable Object, X extends Exception> T callUnder(
            LeaseRequest request, Duration wait, OnLoss onLoss, LeaseWork<T, X> work) throws X, InterruptedException {
        HeldLease lease = (HeldLease) acquire(request, wait);
        LossInterrupt interrupt = new LossInterrupt(Thread.currentThread());
        if (onLoss == OnLoss.INTERRUPT) {
            lease.whenLost(interrupt::lost);
        }
        Throwable failure = null;
        WriteHolds.Bound bound = WriteHolds.bind(lease);
        try {
            return LeaseAssert.during(lease, work);
        } catch (Throwable thrown) {
            failure = thrown;
            throw thrown;
        } finally {
            bound.end();
            boolean lost = interrupt.end();
            lease.release();
            if (lost) {
                throwLost(lease, failure);
            }
        }
    }

    /**
     * What the work returned or threw after its lease was lost and it was interrupted means nothing any more, but that a
     * write may be in effect.
     */
    private static void throwLost(HeldLease lease, @Nullable Throwable failure) {
        if (failure instanceof UnknownOutcomeException unknown) {
            throw unknown;
        }
        String message = "Lease '%s' was lost before the work was done".formatted(lease.name());
        LeaseLostException lost = new LeaseLostException(lease.name(), message, failure);
        throw lease.hasWritten()
                ? new UnknownOutcomeException(message + "; what it has written so far may be in effect", lost)
                : lost;
    }

    /** Interrupts the thread of the work, but never after the work. */
    private static final class LossInterrupt {

        private final Thread worker;
        private boolean ended;
        private boolean lost;

        LossInterrupt(Thread worker) {
            this.worker = worker;
        }

        synchronized void lost() {
            if (!ended) {
                lost = true;
                worker.interrupt();
            }
        }

        /** If it was lost meanwhile, the thread's interrupt flag is as before. */
        synchronized boolean end() {
            ended = true;
            if (lost) {
                Thread.interrupted();
            }
            return lost;
        }
    }

    // ---- for people who look, and at the end ----

    @Override
    public Optional<LeaseInfo> inspect(String name) {
        LeaseRow row;
        try {
            row = context.store().read(name).toCompletableFuture().join();
        } catch (CompletionException failure) {
            throw new LeaseUnavailableException(name, "the table could not be read", failure.getCause());
        }
        return row.equals(LeaseRow.ABSENT)
                ? Optional.empty()
                : Optional.of(new LeaseInfo(name, row.epoch(), row.holder(), row.remaining()));
    }

    @Override
    public List<Lease> held() {
        return leases().map(Lease.class::cast).toList();
    }

    @Override
    public @Nullable Instant unclearSince() {
        return context.events().unclearSince();
    }

    private Stream<HeldLease> leases() {
        return protocols.values().stream().map(LeaseProtocol::held).filter(lease -> lease != null && lease.isHeld());
    }

    @Override
    public void close() {
        closed.set(true);
        protocols.values().forEach(LeaseProtocol::dismiss);
        List<HeldLease> held = leases().toList();
        held.forEach(HeldLease::closeUnderWork);
        CompletableFuture.allOf(held.stream().map(lease -> lease.outcome).toArray(CompletableFuture<?>[]::new))
                .completeOnTimeout(null, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        onClose.run();
    }

    // ---- the way in and out of a queue ----

    private Waiter enter(LeaseRequest request, long nanos) {
        if (WriteScope.current() != null) {
            throw new IllegalStateException(
                    "Lease '%s' is asked for inside a sure write, which drew its timestamp before: under the lease it could lose to a write of an earlier holder, and a second timestamp would make two updates of one. Fix: acquire the lease first and begin the write under it, as @WithLease does together with @Idempotent on one method"
                            .formatted(request.name()));
        }
        Waiter waiter = new Waiter(filledIn(request), nanos > 0, context);
        String apart = context.clocks().problem();
        if (apart != null) {
            waiter.refuse(new ClockOffsetException("Lease '%s'".formatted(request.name()), apart));
            return waiter;
        }
        while (!closed.get()) {
            LeaseProtocol protocol = protocols.computeIfAbsent(
                    request.name(),
                    name -> new LeaseProtocol(
                            name, context, memories.get(name), ended -> protocols.remove(name, ended)));
            if (protocol.join(waiter)) {
                if (closed.get()) {
                    // Those that waited before have been sent away.
                    leave(waiter, false, Waiter::giveUp);
                }
                return waiter;
            }
            protocols.remove(request.name(), protocol);
        }
        throw new IllegalStateException("No leases after shutdown: '%s'".formatted(request.name()));
    }

    private void limit(Waiter waiter, long nanos) {
        if (!waiter.answer.isDone()) {
            Runnable end = context.time().after(nanos + oneAttempt(), () -> leave(waiter, false, Waiter::giveUp));
            Runnable up = nanos > 0 ? context.time().after(nanos, () -> leave(waiter, true, Waiter::giveUp)) : end;
            var unused = waiter.answer.whenComplete((lease, failure) -> {
                end.run();
                up.run();
            });
        }
    }

    private LeaseRequest filledIn(LeaseRequest request) {
        Duration ttl = request.ttl();
        if (ttl == null) {
            return request.withTtl(context.settings().ttl());
        }
        LeaseSettings.checkUsable(
                "lease '%s': ttl".formatted(request.name()),
                ttl,
                context.settings().skewMargin());
        return request;
    }

    /** Ends the waiting, unless the answer is there already, or it has to be known and is not. */
    private void leave(Waiter waiter, boolean known, Consumer<Waiter> end) {
        LeaseProtocol protocol = protocols.get(waiter.request.name());
        if (protocol != null && protocol.withdraw(waiter, known)) {
            end.accept(waiter);
        }
    }

    private long oneAttempt() {
        return context.settings().attemptTimeout().toNanos();
    }
}
