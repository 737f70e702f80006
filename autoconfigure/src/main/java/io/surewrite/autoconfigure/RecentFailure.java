package io.surewrite.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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

    /**
     * @param unclearSince since when one has had no clear answer, or null
     * @param look asks the cluster; fails if the answer is not clear
     */
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

    /** One look at a time, however many ask. */
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
}
