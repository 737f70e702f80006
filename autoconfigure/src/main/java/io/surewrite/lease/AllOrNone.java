package io.surewrite.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Acquires several names in their order, which is the same for everybody, so that nobody waits in a circle. */
record AllOrNone(LeaseLocks locks, LeaseTime time) {

    Optional<Leases> tryAcquire(Collection<String> names, Duration wait) throws InterruptedException {
        if (names.isEmpty()) {
            throw new IllegalArgumentException("No names to acquire");
        }
        List<LeaseRequest> requests =
                new TreeSet<>(names).stream().map(LeaseRequest::of).toList();
        AcquiredLeases acquired = new AcquiredLeases(new ArrayList<>());
        boolean complete = false;
        try {
            complete = acquireInto(acquired, requests, time.nanos() + LeaseTime.nanos(wait));
        } finally {
            if (!complete) {
                acquired.close();
            }
        }
        return complete ? Optional.of(acquired) : Optional.empty();
    }

    private boolean acquireInto(AcquiredLeases acquired, List<LeaseRequest> requests, long giveUpAt)
            throws InterruptedException {
        for (LeaseRequest request : requests) {
            Optional<Lease> lease = locks.tryAcquire(request, Duration.ofNanos(giveUpAt - time.nanos()));
            if (lease.isEmpty()) {
                return false;
            }
            acquired.all().add(lease.get());
        }
        return acquired.isHeld();
    }
}
