package io.surewrite.actuate;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Down while the cluster gave no clear answer the last time, and that not long ago: what is not used is not down for ever. */
abstract class RecentFailure extends AbstractHealthIndicator {

    private static final Duration RECENT = Duration.ofMinutes(1);

    final Clock clock;
    private volatile @Nullable Instant since;

    RecentFailure(String healthCheckFailedMessage, Clock clock) {
        super(healthCheckFailedMessage);
        this.clock = clock;
    }

    final void note(boolean clear) {
        since = clear ? null : clock.instant();
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Instant undecided = since;
        if (undecided != null && undecided.plus(RECENT).isAfter(clock.instant())) {
            builder.down().withDetail("undecidedSince", undecided);
        } else {
            builder.up();
        }
    }
}
