package io.surewrite.lease.adapter;

import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * Leases as the locks of ShedLock. {@code lockAtMostFor} becomes the ttl, rounded up so that the lock certainly lasts so
 * long: up to three seconds more. {@code lockAtLeastFor} keeps the name closed after the unlock; it counts from the lock, also
 * after an extension. Both are a year at most; more than that counts as a year. An extension begins the ttl anew; one for
 * longer than the ttl, or with a longer {@code lockAtLeastFor}, is refused.
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
                .withHoldAtLeast(atLeast(configuration))
                .withoutRenewal();
        return locks.tryAcquire(request).map(lease -> new LeasedLock(configuration, lease));
    }

    private static Duration ttl(LockConfiguration configuration) {
        return LeaseLock.ttlCovering(configuration.getLockAtMostFor());
    }

    private static Duration atLeast(LockConfiguration configuration) {
        Duration wanted = configuration.getLockAtLeastFor();
        return wanted.isNegative() ? Duration.ZERO : Collections.min(List.of(wanted, LeaseRequest.MAX_TTL));
    }

    private static final class LeasedLock extends AbstractSimpleLock {

        private final Lease lease;

        LeasedLock(LockConfiguration configuration, Lease lease) {
            super(configuration);
            this.lease = lease;
        }

        @Override
        protected void doUnlock() {
            lease.release();
        }

        @Override
        protected Optional<SimpleLock> doExtend(LockConfiguration newConfiguration) {
            Duration ttl = ttl(lockConfiguration);
            Duration atLeast = atLeast(lockConfiguration);
            if (ttl(newConfiguration).compareTo(ttl) > 0
                    || atLeast(newConfiguration).compareTo(atLeast) > 0) {
                throw new UnsupportedOperationException(
                        "Lock '%s' cannot be extended by %s: a lease keeps its ttl, %s, and its lockAtLeastFor, %s. Fix: lock it for as much, or extend it by less, more often"
                                .formatted(
                                        newConfiguration.getName(), newConfiguration.getLockAtMostFor(), ttl, atLeast));
            }
            return lease.renew() ? Optional.of(new LeasedLock(lockConfiguration, lease)) : Optional.empty();
        }
    }
}
