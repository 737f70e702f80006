package io.surewrite.lease.adapter;

import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * Leases as the locks of ShedLock. {@code lockAtMostFor} becomes the ttl, rounded up so that the lock certainly lasts so
 * long: up to three seconds more. Both it and {@code lockAtLeastFor}, which keeps the name closed after the unlock, are a year
 * at most; more than that counts as a year. An extension begins the ttl anew; one for longer than the ttl is refused.
 */
public final class LeaseLockProvider implements ExtensibleLockProvider {

    private final LeaseLocks locks;
    private final String prefix;

    /**
     * A provider.
     *
     * @param prefix what the leases' names begin with
     */
    public LeaseLockProvider(LeaseLocks locks, String prefix) {
        this.locks = locks;
        this.prefix = prefix;
    }

    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        LeaseRequest request = LeaseRequest.of(prefix + configuration.getName())
                .withTtl(ttl(configuration))
                .withoutRenewal();
        return locks.tryAcquire(request).map(lease -> new LeasedLock(configuration, lease, ttl(configuration)));
    }

    private static Duration ttl(LockConfiguration configuration) {
        return LeaseLock.ttlCovering(configuration.getLockAtMostFor());
    }

    private static final class LeasedLock extends AbstractSimpleLock {

        private final Lease lease;
        private final Duration ttl;
        private final long lockedAt = System.nanoTime();

        LeasedLock(LockConfiguration configuration, Lease lease, Duration ttl) {
            super(configuration);
            this.lease = lease;
            this.ttl = ttl;
        }

        /** Not by the clock of {@code getUnlockTime()}, which somebody may have set forward since. */
        @Override
        protected void doUnlock() {
            Duration left = lockConfiguration.getLockAtLeastFor().minusNanos(System.nanoTime() - lockedAt);
            lease.releaseAfter(left.compareTo(LeaseRequest.MAX_TTL) < 0 ? left : LeaseRequest.MAX_TTL);
        }

        @Override
        protected Optional<SimpleLock> doExtend(LockConfiguration newConfiguration) {
            if (ttl(newConfiguration).compareTo(ttl) > 0) {
                throw new UnsupportedOperationException(
                        "Lock '%s' cannot be extended by %s: a lease keeps its ttl, %s. Fix: lock it for as much at most, or extend it by less, more often"
                                .formatted(newConfiguration.getName(), newConfiguration.getLockAtMostFor(), ttl));
            }
            return lease.renew() ? Optional.of(new LeasedLock(newConfiguration, lease, ttl)) : Optional.empty();
        }
    }
}
