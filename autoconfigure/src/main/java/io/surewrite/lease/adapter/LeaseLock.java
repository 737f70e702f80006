package io.surewrite.lease.adapter;

import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.lease.ReleaseOutcome;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lease as a reentrant {@link Lock}: owned by the thread that locked it, renewed until it is unlocked.
 *
 * <p>A lock cannot say that it was lost; {@link #unlock()} does, with a {@link ConcurrentModificationException}. A thread
 * that locks again what it has lost acquires it anew. Code that can should use {@link LeaseLocks} and the fencing token.
 */
public class LeaseLock implements Lock {

    private static final Duration LONG = Duration.ofHours(1);

    private final LeaseLocks locks;
    private final LeaseRequest request;
    private final Map<Thread, Hold> byThread = new ConcurrentHashMap<>();

    private static final class Hold {

        private Lease lease;
        private int count = 1;

        Hold(Lease lease) {
            this.lease = lease;
        }
    }

    /**
     * A lock on one name.
     *
     * @param locks where leases come from
     * @param request what to acquire
     */
    public LeaseLock(LeaseLocks locks, LeaseRequest request) {
        this.locks = locks;
        this.request = request;
    }

    @Override
    public void lock() {
        lock(request);
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        boolean locked = false;
        while (!locked) {
            locked = tryLock(LONG, request);
        }
    }

    @Override
    public boolean tryLock() {
        return isLockedAgain() || took(locks.tryAcquire(request));
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return tryLock(Duration.of(time, unit.toChronoUnit()), request);
    }

    /**
     * Gives the lock up.
     *
     * @throws IllegalMonitorStateException if the current thread does not own it
     * @throws ConcurrentModificationException if it was lost meanwhile: others may have had it
     */
    @Override
    public void unlock() {
        Hold hold = byThread.get(Thread.currentThread());
        if (hold == null) {
            throw new IllegalMonitorStateException(
                    "The current thread does not own the lock '%s'".formatted(request.name()));
        }
        if (--hold.count > 0) {
            return;
        }
        byThread.remove(Thread.currentThread());
        if (hold.lease.release() == ReleaseOutcome.NOT_HELD) {
            throw new ConcurrentModificationException(
                    "Lock '%s' was lost before it was unlocked: others may have had it".formatted(request.name()));
        }
    }

    /** Not supported: nobody could signal from another process. */
    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("A lease has no conditions");
    }

    /** {@return whether the current thread owns it and has not lost it} */
    public boolean isHeldByCurrentThread() {
        Hold hold = byThread.get(Thread.currentThread());
        return hold != null && hold.lease.isHeld();
    }

    @Override
    public String toString() {
        return "LeaseLock[%s]".formatted(request.name());
    }

    final LeaseRequest request() {
        return request;
    }

    final void lock(LeaseRequest wanted) {
        boolean interrupted = false;
        boolean locked = false;
        while (!locked) {
            try {
                locked = tryLock(LONG, wanted);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    final boolean tryLock(Duration wait, LeaseRequest wanted) throws InterruptedException {
        return isLockedAgain() || took(locks.tryAcquire(wanted, wait));
    }

    /** {@return the lease of the current thread, or empty if it owns none} */
    final Optional<Lease> lease() {
        return Optional.ofNullable(byThread.get(Thread.currentThread())).map(hold -> hold.lease);
    }

    private boolean isLockedAgain() {
        Hold hold = byThread.get(Thread.currentThread());
        if (hold == null || !hold.lease.isHeld()) {
            return false;
        }
        hold.count++;
        return true;
    }

    private boolean took(Optional<Lease> lease) {
        lease.ifPresent(this::take);
        return lease.isPresent();
    }

    private void take(Lease lease) {
        Hold hold = byThread.get(Thread.currentThread());
        if (hold == null) {
            byThread.put(Thread.currentThread(), new Hold(lease));
        } else {
            hold.lease = lease;
            hold.count++;
        }
    }
}
