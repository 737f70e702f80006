package io.surewrite.lease;

import io.surewrite.cql.ClockOffsetException;
import io.surewrite.cql.WriteScope;
import io.surewrite.cql.hold.WriteHolds;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The leases of one process: a queue a name, made when it is needed. */
final class ClusterLeaseLocks implements CloseableLeaseLocks {

    private static final int REMEMBERED_NAMES = 10_000;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final LeaseParts parts;
    private final Runnable onClose;
    private final NameMemories memories = new NameMemories(REMEMBERED_NAMES);
    private final ConcurrentMap<String, LeaseQueue> queues = new ConcurrentHashMap<>();
    private volatile boolean closed;

    ClusterLeaseLocks(LeaseParts parts, Runnable onClose) {
        this.parts = parts;
        this.onClose = onClose;
    }

    @Override
    public Optional<Lease> tryAcquire(LeaseRequest request) {
        WriteHolds.forgetLost(request.name());
        return bound(answered(enter(request, false)));
    }

    @Override
    public Optional<Lease> tryAcquire(LeaseRequest request, Duration wait) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return bound(awaited(request, wait).answer.join());
    }

    @Override
    public Lease acquire(LeaseRequest request, Duration wait) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Waiter waiter = awaited(request, wait);
        Optional<Lease> lease = waiter.answer.join();
        if (lease.isPresent()) {
            return bound(lease).orElseThrow();
        }
        throw new LeaseNotAcquiredException(request.name(), wait, holderSeenBy(waiter, wait));
    }

    /** The thread that waited for a lease works under it. */
    private static Optional<Lease> bound(Optional<Lease> lease) {
        return lease.map(mine -> ((HeldLease) mine).bind());
    }

    /** A caller whose answer is there. */
    private Waiter awaited(LeaseRequest request, Duration wait) throws InterruptedException {
        WriteHolds.forgetLost(request.name());
        boolean patient = !wait.isZero() && !wait.isNegative();
        Waiter waiter = enter(request, patient);
        if (!patient) {
            answered(waiter);
            return waiter;
        }
        try {
            if (!isAnswered(waiter, LeaseTime.nanos(wait))) {
                timeIsUp(waiter);
                if (!isAnswered(waiter, oneAttempt())) {
                    leave(waiter, Waiter::giveUp);
                    answered(waiter);
                }
            }
        } catch (InterruptedException interrupted) {
            leave(waiter, Waiter::abandon);
            try {
                // Granted at the last moment: no caller is there to take it.
                answered(waiter).ifPresent(Lease::releaseAsync);
            } catch (LeaseException trouble) {
                interrupted.addSuppressed(trouble);
            }
            throw interrupted;
        }
        return waiter;
    }

    /** False if there is no answer in time; throws the failure that is the answer. */
    private static boolean isAnswered(Waiter waiter, long nanos) throws InterruptedException {
        try {
            waiter.answer.get(nanos, TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException notYet) {
            return false;
        } catch (ExecutionException failure) {
            throw rethrown(failure);
        }
    }

    /** Waits for the answer, one attempt long at most. */
    private Optional<Lease> answered(Waiter waiter) {
        boolean interrupted = false;
        long until = System.nanoTime() + oneAttempt();
        try {
            while (true) {
                try {
                    if (!isAnswered(waiter, until - System.nanoTime())) {
                        leave(waiter, Waiter::giveUp);
                    }
                    return joined(waiter);
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
            LeaseRow row = parts.store()
                    .read(waiter.request.name())
                    .toCompletableFuture()
                    .get(left, TimeUnit.NANOSECONDS);
            return row.leaseId() == null ? null : row.holder();
        } catch (ExecutionException | TimeoutException unread) {
            return null;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync(LeaseRequest request) {
        return tryAcquireAsync(request, Duration.ZERO);
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync(LeaseRequest request, Duration wait) {
        boolean patient = !wait.isZero() && !wait.isNegative();
        Waiter waiter = enter(request, patient);
        if (waiter.answer.isDone()) {
            return parts.handOut(waiter.answer);
        }
        long nanos = patient ? LeaseTime.nanos(wait) : 0;
        LeaseTime.Timer end = parts.time().after(nanos + oneAttempt(), () -> leave(waiter, Waiter::giveUp));
        LeaseTime.Timer up = patient ? parts.time().after(nanos, () -> timeIsUp(waiter)) : end;
        return parts.handOut(waiter.answer.whenComplete((lease, failure) -> {
            end.cancel();
            up.cancel();
        }));
    }

    @Override
    public Optional<Leases> tryAcquireAll(Collection<String> names, Duration wait) throws InterruptedException {
        return new AllOrNone(this, parts.time()).tryAcquire(names, wait);
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> T callUnder(
            LeaseRequest request, Duration wait, OnLoss onLoss, LeaseWork<T, X> work) throws X, InterruptedException {
        return UnderLease.call((WatchedLease) acquire(request, wait), onLoss, work);
    }

    @Override
    public CloseableLeaseLocks reentrant() {
        return new ReentrantLeaseLocks(this);
    }

    @Override
    public Optional<LeaseInfo> inspect(String name) {
        LeaseRow row;
        try {
            row = parts.store().read(name).toCompletableFuture().join();
        } catch (CompletionException failure) {
            throw new LeaseUnavailableException(name, "the table could not be read", failure.getCause());
        }
        return row.equals(LeaseRow.ABSENT)
                ? Optional.empty()
                : Optional.of(new LeaseInfo(name, row.epoch(), row.holder(), row.payload(), row.remaining()));
    }

    @Override
    public List<Lease> held() {
        return queues.values().stream()
                .<Lease>map(LeaseQueue::held)
                .filter(lease -> lease != null && lease.isHeld())
                .toList();
    }

    /** Frees what is held, with its holders hearing of the loss, and sends everybody away who waits. */
    @Override
    public void close() {
        closed = true;
        queues.values().forEach(LeaseQueue::dismiss);
        List<HeldLease> held = queues.values().stream()
                .map(LeaseQueue::held)
                .filter(lease -> lease != null && lease.isHeld())
                .toList();
        held.forEach(HeldLease::closeUnderWork);
        CompletableFuture.allOf(held.stream()
                        .map(lease -> lease.outcome().toCompletableFuture())
                        .toArray(CompletableFuture<?>[]::new))
                .completeOnTimeout(null, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        onClose.run();
    }

    LeaseTime time() {
        return parts.time();
    }

    private Waiter enter(LeaseRequest request, boolean patient) {
        if (WriteScope.current() != null) {
            throw insideAWrite(request);
        }
        Waiter waiter = new Waiter(filledIn(request), patient, parts);
        String apart = parts.time().clocks().problem();
        if (apart != null) {
            waiter.refuse(new ClockOffsetException("Lease '%s'".formatted(request.name()), apart));
            return waiter;
        }
        while (!closed) {
            LeaseQueue queue = queues.computeIfAbsent(request.name(), this::newQueue);
            if (queue.join(waiter)) {
                return waiter;
            }
            queues.remove(request.name(), queue);
        }
        throw new IllegalStateException("No leases after shutdown: '%s'".formatted(request.name()));
    }

    static IllegalStateException insideAWrite(LeaseRequest request) {
        return new IllegalStateException(
                "Lease '%s' is asked for inside a sure write, which drew its timestamp before: under the lease it could lose to a write of an earlier holder, and a second timestamp would make two updates of one. Fix: acquire the lease first and begin the write under it, as @WithLease does together with @Idempotent on one method"
                        .formatted(request.name()));
    }

    private LeaseRequest filledIn(LeaseRequest request) {
        Duration ttl = request.ttl();
        if (ttl == null) {
            return request.withTtl(parts.settings().ttl());
        }
        parts.checkTtl(request.name(), ttl);
        return request;
    }

    private LeaseQueue newQueue(String name) {
        return new LeaseQueue(name, parts, memories.of(name), queue -> queues.remove(name, queue));
    }

    /** Ends the waiting, unless the answer is there already. */
    private void leave(Waiter waiter, Consumer<Waiter> end) {
        LeaseQueue queue = queues.get(waiter.request.name());
        if (queue != null && queue.withdraw(waiter)) {
            end.accept(waiter);
        }
    }

    /** Ends the waiting, unless nothing is known of the name yet. */
    private void timeIsUp(Waiter waiter) {
        LeaseQueue queue = queues.get(waiter.request.name());
        if (queue != null && queue.timeIsUp(waiter)) {
            waiter.giveUp();
        }
    }

    /** How much longer than it waits a call may take, for the answer to what it has sent. */
    private long oneAttempt() {
        return parts.settings().attemptTimeout().toNanos();
    }

    private static Optional<Lease> joined(Waiter waiter) {
        try {
            return waiter.answer.join();
        } catch (CompletionException failure) {
            throw rethrown(failure);
        }
    }

    /** The failure of another thread's work, with the stack of the caller in reach. */
    private static RuntimeException rethrown(Exception failure) {
        if (Objects.requireNonNull(failure.getCause()) instanceof LeaseUnavailableException unavailable) {
            return new LeaseUnavailableException(unavailable);
        }
        if (failure.getCause() instanceof ClockOffsetException refused) {
            return new ClockOffsetException(refused);
        }
        throw new IllegalStateException(failure.getCause());
    }
}
