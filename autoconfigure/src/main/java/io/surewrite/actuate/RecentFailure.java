package io.surewrite.actuate;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;

/** Whether the cluster gave no clear answer the last time, and that not long ago: what is not used is not down for ever. */
final class RecentFailure {

    private static final Duration RECENT = Duration.ofMinutes(1);

    private final Clock clock;
    private volatile @Nullable Instant since;

    RecentFailure(Clock clock) {
        this.clock = clock;
    }

    void note(boolean clear) {
        since = clear ? null : clock.instant();
    }

    /** Says up or down. */
    void report(Health.Builder builder) {
        Instant undecided = since;
        if (undecided != null && undecided.plus(RECENT).isAfter(clock.instant())) {
            builder.down().withDetail("undecidedSince", undecided);
        } else {
            builder.up();
        }
    }
}
