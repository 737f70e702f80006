package io.surewrite.autoconfigure;

import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueGuard;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Down since the cluster gave no clear answer the last time, until it gives one: to the application, or to a look that a request for
 * the status begins and does not wait for. The next status shows what came of it. As long as all goes well it sends nothing.
 */
final class RecentFailure<T> extends AbstractHealthIndicator {

    private static final LeaseRequest LEASE = LeaseRequest.of("surewrite:health");
    private static final UniqueConstraint CLAIM = UniqueConstraint.on("surewrite:health", "health");

    private final Supplier<? extends Collection<? extends T>> made;
    private final Function<T, @Nullable Instant> unclearSince;
    private final Function<T, CompletionStage<?>> look;
    private final AtomicBoolean looking = new AtomicBoolean();

    /** @param look asks the cluster */
    RecentFailure(
            String healthCheckFailedMessage,
            Supplier<? extends Collection<? extends T>> made,
            Function<T, @Nullable Instant> unclearSince,
            Function<T, CompletionStage<?>> look) {
        super(healthCheckFailedMessage);
        this.made = made;
        this.unclearSince = unclearSince;
        this.look = look;
    }

    /** A look acquires a lease and releases it. That another process has it is an answer, too. */
    static RecentFailure<LeaseLocks> ofLeases(Supplier<? extends Collection<? extends LeaseLocks>> made) {
        return new RecentFailure<>(
                "The leases could not be examined",
                made,
                LeaseLocks::unclearSince,
                locks -> locks.tryAcquireAsync(LEASE).thenAccept(acquired -> acquired.ifPresent(Lease::releaseAsync)));
    }

    /** A look claims a value and releases it. */
    static RecentFailure<UniqueGuard> ofUniqueValues(Supplier<? extends Collection<? extends UniqueGuard>> made) {
        return new RecentFailure<>(
                "The unique values could not be examined",
                made,
                UniqueGuard::unclearSince,
                guard -> guard.claimAsync(CLAIM, "health", CLAIM.value(List.of("health")))
                        .thenCompose(claimed -> guard.releaseAsync(CLAIM, "health")));
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Optional<Instant> undecided = made.get().stream()
                .flatMap(one -> Stream.ofNullable(unclearSince.apply(one)))
                .min(Comparator.naturalOrder());
        if (undecided.isPresent()) {
            builder.down().withDetail("undecidedSince", undecided.get());
            look();
        } else {
            builder.up();
        }
    }

    /** One look at a time, however many ask: a second one of this process would be refused by it, which says nothing. */
    private void look() {
        if (looking.compareAndSet(false, true)) {
            var unused = CompletableFuture.completedStage(null)
                    .thenCompose(now -> CompletableFuture.allOf(made.get().stream()
                            .filter(one -> unclearSince.apply(one) != null)
                            .map(one -> look.apply(one).toCompletableFuture())
                            .toArray(CompletableFuture<?>[]::new)))
                    .whenComplete((answer, failure) -> looking.set(false));
        }
    }
}
