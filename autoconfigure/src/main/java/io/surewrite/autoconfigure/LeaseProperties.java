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

    /** {@return the values, checked} */
    LeaseSettings settings(Duration clockMargin, Duration attemptTimeout) {
        return PropertyCheck.settings(
                PREFIX,
                "leases",
                () -> new LeaseSettings(
                        ManagementFactory.getRuntimeMXBean().getName(), ttl, clockMargin, maxHold, attemptTimeout));
    }
}
