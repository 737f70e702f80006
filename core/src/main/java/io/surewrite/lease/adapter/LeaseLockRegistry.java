package io.surewrite.lease.adapter;

import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * Leases as the locks of Spring Integration, leader election by {@code LockRegistryLeaderInitiator} included. They are
 * renewed by themselves; {@link #renewLock(Object)} is there for those who want to be sure.
 */
public final class LeaseLockRegistry implements RenewableLockRegistry<DistributedLock> {

    private final LeaseLocks locks;
    private final String prefix;

    /** What threads own. Not in the locks: {@link #obtain} makes one more of a name each time. */
    private final Map<LeaseLock.Owner, LeaseLock.Hold> holds = new ConcurrentHashMap<>();

    /**
     * A registry.
     *
     * @param prefix what the leases' names begin with
     */
    public LeaseLockRegistry(LeaseLocks locks, String prefix) {
        this.locks = locks;
        this.prefix = prefix;
    }

    /**
     * A lock.
     *
     * @param lockKey known by its text: keys with the same text have the same lock
     * @throws IllegalArgumentException if the key is null, has no text of its own, or a text that is too long
     */
    @Override
    public DistributedLock obtain(Object lockKey) {
        return lock(lockKey);
    }

    /**
     * Renews a lock now.
     *
     * @throws IllegalMonitorStateException if the current thread does not own it, or has lost it, or if the cluster gives no
     *     clear answer; then it may be held for a while yet
     */
    @Override
    public void renewLock(Object lockKey) {
        if (!lock(lockKey).lease().filter(Lease::isHeld).map(Lease::renew).orElse(false)) {
            throw new IllegalMonitorStateException("The current thread does not hold the lock '%s'".formatted(lockKey));
        }
    }

    /** {@link #renewLock(Object)}: a lock keeps the ttl that it was locked with, and is renewed by itself past any other. */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        renewLock(lockKey);
    }

    private DistributedLeaseLock lock(Object lockKey) {
        return new DistributedLeaseLock(locks, LeaseRequest.of(prefix + LeaseRequest.textOf(lockKey)), holds);
    }

    /** A lock whose ttl the caller may choose. */
    private static final class DistributedLeaseLock extends LeaseLock implements DistributedLock {

        DistributedLeaseLock(LeaseLocks locks, LeaseRequest request, Map<Owner, Hold> holds) {
            super(locks, request, holds);
        }

        @Override
        public void lock(Duration ttl) {
            lock(request.withTtl(ttlCovering(ttl)));
        }

        @Override
        public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
            return tryLock(waitTime, request.withTtl(ttlCovering(ttl)));
        }
    }
}
