package io.surewrite.lease.adapter;

import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import java.time.Duration;
import org.springframework.integration.support.locks.DistributedLock;

/** A lock whose ttl the caller may choose. */
final class DistributedLeaseLock extends LeaseLock implements DistributedLock {

    DistributedLeaseLock(LeaseLocks locks, LeaseRequest request) {
        super(locks, request);
    }

    @Override
    public void lock(Duration ttl) {
        lock(request().withTtl(WholeSeconds.atLeast(ttl)));
    }

    @Override
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        return tryLock(waitTime, request().withTtl(WholeSeconds.atLeast(ttl)));
    }
}
