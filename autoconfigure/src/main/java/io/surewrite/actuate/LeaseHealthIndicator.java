package io.surewrite.actuate;

import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseListener;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.lease.LossReason;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;

/**
 * Whether leases work: down since the table said nothing the last time, until it says something. While it is down, whoever
 * asks for the status has a lease acquired and released.
 */
public final class LeaseHealthIndicator extends RecentFailure<LeaseLocks> implements LeaseListener {

    private static final LeaseRequest LOOK = LeaseRequest.of("surewrite:health");

    private final AtomicLong lost = new AtomicLong();
    private volatile @Nullable Instant lastLoss;

    /**
     * Creates the indicator.
     *
     * @param clock tells when something was
     * @param made the locks of all sessions, as far as they were made
     */
    public LeaseHealthIndicator(Clock clock, Supplier<? extends Collection<? extends LeaseLocks>> made) {
        super("The leases could not be examined", clock, made, LeaseHealthIndicator::look);
    }

    /** That another process has it is an answer, too. */
    private static CompletableFuture<?> look(LeaseLocks locks) {
        return locks.tryAcquireAsync(LOOK)
                .thenAccept(acquired -> acquired.ifPresent(Lease::releaseAsync))
                .toCompletableFuture();
    }

    @Override
    public void acquired(Lease lease, Duration waited, boolean handedOver) {
        if (!handedOver) {
            note(true);
        }
    }

    @Override
    public void notAcquired(String name, Duration waited, @Nullable RuntimeException trouble) {
        if (trouble != null) {
            note(false);
        } else if (isDown() && !isHeldHere(name)) {
            note(true);
        }
    }

    /** Then it was refused by this process, and the table was not asked. */
    private boolean isHeldHere(String name) {
        return made.get().stream()
                .flatMap(locks -> locks.held().stream())
                .anyMatch(lease -> lease.name().equals(name));
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
