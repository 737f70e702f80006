package io.surewrite.lease;

import io.micrometer.observation.ObservationRegistry;
import io.surewrite.internal.observe.Observed;
import io.surewrite.lease.Lease.LossReason;
import io.surewrite.lease.Lease.ReleaseOutcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Observes and logs nothing: a simulation loses leases all the time. */
class UnheardLeases extends LeaseEvents {

    UnheardLeases() {
        super(ObservationRegistry.NOOP);
    }

    @Override
    Observed asked(LeaseRequest request) {
        return Observed.NONE;
    }

    @Override
    void acquired(Waiter waiter, HeldLease lease, boolean handedOver) {}

    @Override
    void notAcquired(Waiter waiter, @Nullable RuntimeException trouble, boolean told) {}

    @Override
    void renewed(String name, boolean confirmed, boolean clear) {}

    @Override
    void lost(HeldLease lease, LossReason reason, Duration held) {}

    @Override
    void released(HeldLease lease, ReleaseOutcome outcome, Duration held) {}
}
