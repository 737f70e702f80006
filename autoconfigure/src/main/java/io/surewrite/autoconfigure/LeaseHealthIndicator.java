package io.surewrite.autoconfigure;

import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Whether leases work: down since the table said nothing the last time, until it says something. While it is down, whoever
 * asks for the status has a lease acquired and released.
 */
final class LeaseHealthIndicator extends RecentFailure<LeaseLocks> {

    private static final LeaseRequest LOOK = LeaseRequest.of("surewrite:health");

    LeaseHealthIndicator(Supplier<? extends Collection<? extends LeaseLocks>> made) {
        super("The leases could not be examined", made, LeaseLocks::unclearSince, LeaseHealthIndicator::look);
    }

    /** That another process has it is an answer, too. */
    private static CompletableFuture<?> look(LeaseLocks locks) {
        return locks.tryAcquireAsync(LOOK)
                .thenAccept(acquired -> acquired.ifPresent(Lease::releaseAsync))
                .toCompletableFuture();
    }
}
