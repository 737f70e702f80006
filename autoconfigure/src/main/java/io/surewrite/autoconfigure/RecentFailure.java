package io.surewrite.autoconfigure;

import io.surewrite.internal.session.DriverFailures;
import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.unique.ClaimPendingException;
import io.surewrite.unique.SupersededException;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueGuard;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Down since the cluster gave no clear answer the last time, until it gives one: to the application, or, while the status is
 * asked for, to a look of its own. As long as all goes well it sends nothing.
 */
abstract class RecentFailure<T> extends AbstractHealthIndicator {

    /** A status request waits so long at most for a look that is under way; one that takes longer shows in the next. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Supplier<? extends Collection<? extends T>> made;
    private final Function<T, @Nullable Instant> unclearSince;
    private final Function<T, CompletableFuture<?>> look;
    private final AtomicReference<@Nullable CompletableFuture<Boolean>> looking = new AtomicReference<>();

    /** @param look asks the cluster; fails if the answer is not clear */
    RecentFailure(
            String healthCheckFailedMessage,
            Supplier<? extends Collection<? extends T>> made,
            Function<T, @Nullable Instant> unclearSince,
            Function<T, CompletableFuture<?>> look) {
        super(healthCheckFailedMessage);
        this.made = made;
        this.unclearSince = unclearSince;
        this.look = look;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Optional<Instant> undecided = made.get().stream()
                .flatMap(one -> Stream.ofNullable(unclearSince.apply(one)))
                .min(Comparator.naturalOrder());
        if (undecided.isPresent() && !isBack()) {
            builder.down().withDetail("undecidedSince", undecided.get());
        } else {
            builder.up();
        }
    }

    /** One look at a time, however many ask: a second one of this process would be refused by it, which says nothing. */
    private boolean isBack() {
        CompletableFuture<Boolean> mine = new CompletableFuture<>();
        CompletableFuture<Boolean> current = looking.compareAndExchange(null, mine);
        if (current == null) {
            current = mine;
            begin(mine);
        }
        // A copy: the time that one caller has ends nothing for the others.
        return current.copy()
                .completeOnTimeout(false, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    private void begin(CompletableFuture<Boolean> begun) {
        var unused = CompletableFuture.completedStage(null)
                .thenCompose(now -> CompletableFuture.allOf(made.get().stream()
                        .filter(one -> unclearSince.apply(one) != null)
                        .map(look)
                        .toArray(CompletableFuture<?>[]::new)))
                .whenComplete((answer, failure) -> {
                    looking.set(null);
                    begun.complete(failure == null);
                });
    }

    /** Of leases: a look acquires one and releases it. */
    static final class OfLeases extends RecentFailure<LeaseLocks> {

        private static final LeaseRequest LOOK = LeaseRequest.of("surewrite:health");

        OfLeases(Supplier<? extends Collection<? extends LeaseLocks>> made) {
            super("The leases could not be examined", made, LeaseLocks::unclearSince, OfLeases::look);
        }

        /** That another process has it is an answer, too. */
        private static CompletableFuture<?> look(LeaseLocks locks) {
            return locks.tryAcquireAsync(LOOK)
                    .thenAccept(acquired -> acquired.ifPresent(Lease::releaseAsync))
                    .toCompletableFuture();
        }
    }

    /** Of unique values: a look claims one and releases it. */
    static final class OfUniqueValues extends RecentFailure<UniqueGuard> {

        private static final UniqueConstraint LOOK = UniqueConstraint.on("surewrite:health", "health");

        OfUniqueValues(Supplier<? extends Collection<? extends UniqueGuard>> made) {
            super("The unique values could not be examined", made, UniqueGuard::unclearSince, OfUniqueValues::look);
        }

        private static CompletableFuture<?> look(UniqueGuard guard) {
            return guard.claimAsync(LOOK, "health", LOOK.value(List.of("health")))
                    .thenCompose(claimed -> guard.releaseAsync(LOOK, "health"))
                    .toCompletableFuture()
                    .exceptionally(failure -> {
                        Throwable cause = DriverFailures.unwrapped(failure);
                        if (cause instanceof ClaimPendingException || cause instanceof SupersededException) {
                            return null; // another process looks: an answer, too
                        }
                        throw new CompletionException(cause);
                    });
        }
    }
}
