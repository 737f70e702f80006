package io.surewrite.lease.adapter;

import io.surewrite.lease.Lease;
import io.surewrite.lease.Lease.ReleaseOutcome;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A lease as a reentrant {@link Lock}: owned by the thread that locked it, renewed until it is unlocked.
 *
 * <p>A lock cannot say at once that it was lost. {@link #unlock()} does, with a {@link ConcurrentModificationException},
 * also if {@link #lock()} or {@link #lockInterruptibly()} has acquired it anew meanwhile. {@link #tryLock()} and
 * {@link #tryLock(long, TimeUnit)} return false to an owner that has lost it, once; after that the thread owns nothing. Code
 * that can should use {@link LeaseLocks} and the fencing token.
 *
 * <p>An owner that calls {@link #tryLock(long, TimeUnit)} in a loop, as an elected leader does, learns of a lease that is
 * not renewed before it is over. Once less is left than three times the wait (or than a third of the lease, if that is
 * less), it returns true only if a renewal is confirmed within the wait. Otherwise it gives the lease up and returns false.
 */
public class LeaseLock implements Lock {

    private static final Duration LONG = Duration.ofHours(1);

    /** How many waits a lease must last to be locked again by its owner: this one, the pause after it, and one to act. */
    private static final int WAITS = 3;

    /** The first of the table's whole seconds may be over at once, and the holder stops counting before the table. */
    private static final Duration GRAIN = Duration.ofSeconds(2);

    private final LeaseLocks locks;
    final LeaseRequest request;
    private final Map<Owner, Hold> holds;

    /** The owner of a lock is a thread; its lock is known by its name, whatever object it came from. */
    record Owner(Thread thread, String name) {}

    /** What a thread owns; only that thread looks at it. */
    static final class Hold {

        private Lease lease;
        private Duration lasts;
        private int count = 1;

        /** Whether an earlier lease was lost while the thread owned the lock. */
        private boolean lostBefore;

        private Hold(Lease lease) {
            this.lease = lease;
            this.lasts = lease.remaining();
        }

        private Hold goOnWith(Lease another) {
            lease = another;
            lasts = another.remaining();
            lostBefore = true;
            count++;
            return this;
        }
    }

    public LeaseLock(LeaseLocks locks, LeaseRequest request) {
        this(locks, request, new ConcurrentHashMap<>());
    }

    LeaseLock(LeaseLocks locks, LeaseRequest request, Map<Owner, Hold> holds) {
        this.locks = locks;
        this.request = request;
        this.holds = holds;
    }

    @Override
    public void lock() {
        lock(request);
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        boolean locked = false;
        while (!locked) {
            locked = lockWithin(LONG, request);
        }
    }

    @Override
    public boolean tryLock() {
        Hold hold = hold();
        if (hold == null) {
            return took(locks.tryAcquire(request));
        }
        return hold.lease.isHeld() ? lockedAgain(hold) : lost(hold);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return tryLock(Duration.ofNanos(unit.toNanos(time)), request);
    }

    /**
     * Gives the lock up.
     *
     * @throws IllegalMonitorStateException if the current thread does not own it
     * @throws ConcurrentModificationException if it was lost since the thread first locked it: others may have had it
     */
    @Override
    public void unlock() {
        Hold hold = hold();
        if (hold == null) {
            throw new IllegalMonitorStateException(
                    "The current thread does not own the lock '%s'".formatted(request.name()));
        }
        if (--hold.count > 0) {
            return;
        }
        holds.remove(owner());
        if (hold.lease.release() == ReleaseOutcome.NOT_HELD || hold.lostBefore) {
            throw new ConcurrentModificationException(
                    "Lock '%s' was lost before it was unlocked: others may have had it".formatted(request.name()));
        }
    }

    /** Not supported: no other process could signal. */
    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("A lease has no conditions");
    }

    /** {@return whether the current thread owns it and has not lost it} */
    public boolean isHeldByCurrentThread() {
        return lease().filter(Lease::isHeld).isPresent();
    }

    @Override
    public String toString() {
        return "LeaseLock[%s]".formatted(request.name());
    }

    final void lock(LeaseRequest wanted) {
        boolean interrupted = false;
        boolean locked = false;
        try {
            while (!locked) {
                try {
                    locked = lockWithin(LONG, wanted);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean lockWithin(Duration wait, LeaseRequest wanted) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Hold hold = hold();
        return (hold != null && hold.lease.isHeld()) ? lockedAgain(hold) : took(locks.tryAcquire(wanted, wait));
    }

    final boolean tryLock(Duration wait, LeaseRequest wanted) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Hold hold = hold();
        if (hold == null) {
            return took(locks.tryAcquire(wanted, wait));
        }
        return (hold.lease.isHeld() && lasts(hold, wait)) ? lockedAgain(hold) : lost(hold);
    }

    final Optional<Lease> lease() {
        return Optional.ofNullable(hold()).map(hold -> hold.lease);
    }

    private static boolean lockedAgain(Hold hold) {
        hold.count++;
        return true;
    }

    /** From now on the thread owns nothing. */
    private boolean lost(Hold hold) {
        holds.remove(owner());
        hold.lease.releaseAsync();
        return false;
    }

    /** Whether the owner can count on the lease until it has called so again. */
    private static boolean lasts(Hold hold, Duration wait) throws InterruptedException {
        Duration left = hold.lease.remaining();
        if (left.compareTo(hold.lasts.dividedBy(WAITS)) >= 0
                || left.dividedBy(WAITS).compareTo(wait) >= 0) {
            return true;
        }
        Duration patience = wait.compareTo(left.dividedBy(2)) < 0 ? wait : left.dividedBy(2);
        try {
            return hold.lease.renewAsync().toCompletableFuture().get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException unconfirmed) {
            return false;
        }
    }

    private boolean took(Optional<Lease> lease) {
        lease.ifPresent(taken ->
                holds.compute(owner(), (owner, hold) -> hold == null ? new Hold(taken) : hold.goOnWith(taken)));
        return lease.isPresent();
    }

    private @Nullable Hold hold() {
        return holds.get(owner());
    }

    private Owner owner() {
        return new Owner(Thread.currentThread(), request.name());
    }

    /** Leases count in whole seconds, and other libraries in any duration: up to three seconds more, but a year at most. */
    static Duration ttlCovering(Duration duration) {
        if (duration.compareTo(LeaseRequest.MAX_TTL) >= 0) {
            return LeaseRequest.MAX_TTL;
        }
        Duration wanted = duration.isNegative() ? GRAIN : duration.plus(GRAIN);
        Duration roundedUp = Duration.ofSeconds(wanted.plusNanos(999_999_999).toSeconds());
        return roundedUp.compareTo(LeaseRequest.MAX_TTL) < 0 ? roundedUp : LeaseRequest.MAX_TTL;
    }
}
