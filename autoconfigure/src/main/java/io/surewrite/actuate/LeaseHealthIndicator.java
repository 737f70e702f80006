package io.surewrite.actuate;

import io.surewrite.lease.AcquireOutcome;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseListener;
import io.surewrite.lease.LossReason;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;

/**
 * Whether leases work: down while the last thing the table said about them is nothing, and that not long ago. It sends
 * nothing itself.
 */
public final class LeaseHealthIndicator extends RecentFailure implements LeaseListener {

    private final AtomicLong lost = new AtomicLong();
    private volatile @Nullable Instant lastLoss;

    /**
     * Creates the indicator.
     *
     * @param clock measures how long ago something was
     */
    public LeaseHealthIndicator(Clock clock) {
        super("The leases could not be examined", clock);
    }

    @Override
    public void acquired(Lease lease, Duration waited, boolean handedOver) {
        if (!handedOver) {
            note(true);
        }
    }

    @Override
    public void notAcquired(String name, Duration waited, AcquireOutcome outcome) {
        if (outcome != AcquireOutcome.ABANDONED) {
            note(outcome == AcquireOutcome.REFUSED);
        }
    }

    @Override
    public void renewed(String name, boolean confirmed) {
        note(confirmed);
    }

    @Override
    public void lost(Lease lease, LossReason reason, Duration held) {
        lost.incrementAndGet();
        lastLoss = clock.instant();
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        super.doHealthCheck(builder);
        builder.withDetail("lost", lost.get());
        Instant loss = lastLoss;
        if (loss != null) {
            builder.withDetail("lastLoss", loss);
        }
    }
}
