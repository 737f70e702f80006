package io.surewrite.lease.adapter;

import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import java.time.Duration;
import java.util.Map;
import org.springframework.integration.support.locks.DistributedLock;

/** A lock whose ttl the caller may choose. */
final class DistributedLeaseLock extends LeaseLock implements DistributedLock {

    DistributedLeaseLock(LeaseLocks locks, LeaseRequest request, Map<Owner, Hold> holds) {
        super(locks, request, holds);
    }

    @Override
    public void lock(Duration ttl) {
        lock(request().withTtl(WholeSeconds.covering(ttl)));
    }

    @Override
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        return tryLock(waitTime, request().withTtl(WholeSeconds.covering(ttl)));
    }
}
