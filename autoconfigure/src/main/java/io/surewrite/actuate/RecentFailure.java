package io.surewrite.actuate;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Down since the cluster gave no clear answer the last time, until it gives one: to the application, or, while the status is
 * asked for, to a look of its own. As long as all goes well it sends nothing.
 */
abstract class RecentFailure<T> extends AbstractHealthIndicator {

    /** Who asks for the status hears the end of a look so late at most; a later one hears of one that takes longer. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    final Clock clock;
    final Supplier<? extends Collection<? extends T>> made;
    private final Function<T, CompletableFuture<?>> look;
    private final AtomicReference<@Nullable CompletableFuture<Boolean>> looking = new AtomicReference<>();
    private volatile @Nullable Instant since;

    /**
     * @param clock tells since when it is down
     * @param made what it is about, of all sessions, as far as it was made
     * @param look asks the cluster; fails if the answer is not clear
     */
    RecentFailure(
            String healthCheckFailedMessage,
            Clock clock,
            Supplier<? extends Collection<? extends T>> made,
            Function<T, CompletableFuture<?>> look) {
        super(healthCheckFailedMessage);
        this.clock = clock;
        this.made = made;
        this.look = look;
    }

    final void note(boolean clear) {
        if (clear) {
            since = null;
        } else if (since == null) {
            since = clock.instant();
        }
    }

    final boolean isDown() {
        return since != null;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Instant undecided = since;
        if (undecided != null && !isBack()) {
            builder.down().withDetail("undecidedSince", undecided);
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
                .thenCompose(now ->
                        CompletableFuture.allOf(made.get().stream().map(look).toArray(CompletableFuture<?>[]::new)))
                .whenComplete((answer, failure) -> {
                    note(failure == null);
                    looking.set(null);
                    begun.complete(failure == null);
                });
    }
}
