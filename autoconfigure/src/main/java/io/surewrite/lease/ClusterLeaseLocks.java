package io.surewrite.lease;

import io.surewrite.cql.ClockOffsetException;
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
        try {
            return enter(request, false).answer.join();
        } catch (CompletionException failure) {
            throw rethrown(failure);
        }
    }

    @Override
    public Optional<Lease> tryAcquire(LeaseRequest request, Duration wait) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (wait.isZero() || wait.isNegative()) {
            return tryAcquire(request);
        }
        Waiter waiter = enter(request, true);
        try {
            return waiter.answer.get(LeaseTime.nanos(wait), TimeUnit.NANOSECONDS);
        } catch (TimeoutException timeIsUp) {
            leave(waiter);
            return joined(waiter);
        } catch (InterruptedException interrupted) {
            leave(waiter);
            try {
                // Granted at the last moment: nobody is there to take it.
                joined(waiter).ifPresent(Lease::releaseAsync);
            } catch (LeaseException trouble) {
                interrupted.addSuppressed(trouble);
            }
            throw interrupted;
        } catch (ExecutionException failure) {
            throw rethrown(failure);
        }
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync(LeaseRequest request) {
        return parts.handOut(enter(request, false).answer);
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync(LeaseRequest request, Duration wait) {
        if (wait.isZero() || wait.isNegative()) {
            return tryAcquireAsync(request);
        }
        Waiter waiter = enter(request, true);
        LeaseTime.Timer timer = parts.time().after(LeaseTime.nanos(wait), () -> leave(waiter));
        return parts.handOut(waiter.answer.whenComplete((lease, failure) -> timer.cancel()));
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

    /** Releases what is held and sends everybody away who waits. */
    @Override
    public void close() {
        closed = true;
        queues.values().forEach(LeaseQueue::dismiss);
        CompletableFuture<?>[] releases = held().stream()
                .map(lease -> lease.releaseAsync().toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(releases)
                .completeOnTimeout(null, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        onClose.run();
    }

    LeaseTime time() {
        return parts.time();
    }

    private Waiter enter(LeaseRequest request, boolean patient) {
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
    private void leave(Waiter waiter) {
        LeaseQueue queue = queues.get(waiter.request.name());
        if (queue != null && queue.withdraw(waiter)) {
            waiter.giveUp();
        }
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
