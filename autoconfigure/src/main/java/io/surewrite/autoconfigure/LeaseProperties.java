package io.surewrite.autoconfigure;

import io.surewrite.lease.LeaseSettings;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Lease locks.
 *
 * @param ttl How long a lease lasts in the table without renewal. Whole seconds, at least two.
 * @param maxHold How long one hold may last with all its renewals. Default is no limit.
 */
@ConfigurationProperties(LeaseProperties.PREFIX)
record LeaseProperties(
        @DefaultValue("30s") Duration ttl, @Nullable Duration maxHold) {

    static final String PREFIX = "surewrite.lease";

    private static final int HAND_OVER_LIMIT = 100;
    private static final Duration HAND_OVER_TIME = Duration.ofSeconds(1);
    private static final Duration POLL_MIN = Duration.ofMillis(5);
    private static final Duration POLL_MAX = Duration.ofMillis(250);

    /** {@return the values, checked} */
    LeaseSettings settings(Duration clockMargin, Duration attemptTimeout) {
        return PropertyCheck.settings(
                PREFIX,
                "leases",
                () -> new LeaseSettings(
                        ManagementFactory.getRuntimeMXBean().getName(),
                        ttl,
                        clockMargin,
                        maxHold,
                        HAND_OVER_LIMIT,
                        HAND_OVER_TIME,
                        attemptTimeout,
                        POLL_MIN,
                        POLL_MAX));
    }
}
