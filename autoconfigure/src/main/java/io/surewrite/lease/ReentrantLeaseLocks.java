package io.surewrite.lease;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Gives a thread a lease that it holds, again. */
final class ReentrantLeaseLocks implements CloseableLeaseLocks {

    private final ClusterLeaseLocks locks;
    private final ThreadLocal<Map<String, SharedLease>> ofThisThread = ThreadLocal.withInitial(HashMap::new);

    ReentrantLeaseLocks(ClusterLeaseLocks locks) {
        this.locks = locks;
    }

    @Override
    public Optional<Lease> tryAcquire(LeaseRequest request) {
        Optional<Lease> again = again(request.name());
        return again.isPresent() ? again : locks.tryAcquire(request).map(this::shared);
    }

    @Override
    public Optional<Lease> tryAcquire(LeaseRequest request, Duration wait) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Optional<Lease> again = again(request.name());
        return again.isPresent() ? again : locks.tryAcquire(request, wait).map(this::shared);
    }

    @Override
    public Lease acquire(LeaseRequest request, Duration wait) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Optional<Lease> again = again(request.name());
        return again.isPresent() ? again.get() : shared(locks.acquire(request, wait));
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync(LeaseRequest request) {
        return locks.tryAcquireAsync(request);
    }

    @Override
    public CompletionStage<Optional<Lease>> tryAcquireAsync(LeaseRequest request, Duration wait) {
        return locks.tryAcquireAsync(request, wait);
    }

    @Override
    public Optional<Leases> tryAcquireAll(Collection<String> names, Duration wait) throws InterruptedException {
        return new AllOrNone(this, locks.time()).tryAcquire(names, wait);
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> T callUnder(
            LeaseRequest request, Duration wait, OnLoss onLoss, LeaseWork<T, X> work) throws X, InterruptedException {
        return UnderLease.call((WatchedLease) acquire(request, wait), onLoss, work);
    }

    @Override
    public CloseableLeaseLocks reentrant() {
        return this;
    }

    @Override
    public Optional<LeaseInfo> inspect(String name) {
        return locks.inspect(name);
    }

    @Override
    public List<Lease> held() {
        return locks.held();
    }

    @Override
    public void close() {
        locks.close();
    }

    private Optional<Lease> again(String name) {
        SharedLease shared = ofThisThread.get().get(name);
        return shared == null ? Optional.empty() : shared.anotherPart();
    }

    private Lease shared(Lease lease) {
        SharedLease shared = new SharedLease((WatchedLease) lease, this::forget);
        ofThisThread.get().put(lease.name(), shared);
        return shared.firstPart();
    }

    private void forget(SharedLease shared) {
        Map<String, SharedLease> mine = ofThisThread.get();
        mine.remove(shared.name(), shared);
        if (mine.isEmpty()) {
            ofThisThread.remove();
        }
    }
}
