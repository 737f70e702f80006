package io.surewrite.autoconfigure;

import io.surewrite.backlog.BacklogException;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.backlog.WriteBacklog.BacklogSize;
import java.time.Clock;
import java.time.Duration;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * How far the cluster is behind what was reported to callers: up, {@code DEGRADED} while a write waits for long or nothing can
 * be kept, down when a write waits so long that it may be lost, when nothing can be kept until a restart, and when the disk lost
 * something, until the dead letters that say so are discarded. It reads what the backlog has in memory.
 */
final class BacklogHealthIndicator extends AbstractHealthIndicator {

    /** Writes wait for longer than they should, or are not kept; the application works. */
    private static final Status DEGRADED = new Status("DEGRADED", "Writes wait for the cluster");

    private static final Duration DEGRADED_AFTER = Duration.ofMinutes(1);

    private final WriteBacklog backlog;
    private final Duration downAfter;
    private final Clock clock;

    /** @param downAfter how long a write may wait until an operator must act */
    BacklogHealthIndicator(WriteBacklog backlog, Duration downAfter, Clock clock) {
        super("The backlog could not be examined");
        this.backlog = backlog;
        this.downAfter = downAfter;
        this.clock = clock;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        BacklogSize size = backlog.size();
        Duration age = size.age(clock.instant());
        BacklogException failure = backlog.failure();
        BacklogException refusal = backlog.refusal();
        boolean down = failure != null || size.lost() > 0 || age.compareTo(downAfter) > 0;
        boolean degraded = refusal != null || age.compareTo(DEGRADED_AFTER) > 0;
        builder.status(down ? Status.DOWN : degraded ? DEGRADED : Status.UP)
                .withDetail("waiting", size.entries())
                .withDetail("deadLetters", size.deadLetters());
        if (size.lost() > 0) {
            builder.withDetail("lost", size.lost());
        }
        if (refusal != null) {
            builder.withDetail("refused", String.valueOf(refusal.getMessage()));
        }
        String lastFailure = backlog.lastFailure();
        if (lastFailure != null) {
            builder.withDetail("lastFailure", lastFailure);
        }
        if (size.oldest() != null) {
            builder.withDetail("oldest", size.oldest());
        }
        if (failure != null) {
            builder.withException(failure);
        }
    }
}
