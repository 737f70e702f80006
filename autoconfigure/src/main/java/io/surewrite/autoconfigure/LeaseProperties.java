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
 * @param holder Name of this process in the table, for people who look. Default is its process id and host.
 * @param ttl How long a lease lasts in the table without renewal. Whole seconds, at least two.
 * @param renewInterval Time between renewals, less than half the ttl. Default is a third of the ttl.
 * @param maxHold How long one hold may last with all its renewals. Default is no limit.
 * @param handOverLimit How often in a row this process may pass a lease on to its own waiters.
 * @param handOverTime How long this process may keep a lease by passing it on.
 * @param attemptTimeout How long one statement is repeated while its outcome is unknown.
 * @param pollMin Shortest pause between two looks at a name that another process holds.
 * @param pollMax Longest such pause.
 */
@ConfigurationProperties(LeaseProperties.PREFIX)
record LeaseProperties(
        @Nullable String holder,
        @DefaultValue("30s") Duration ttl,
        @Nullable Duration renewInterval,
        @Nullable Duration maxHold,
        @DefaultValue("100") int handOverLimit,
        @DefaultValue("1s") Duration handOverTime,
        @DefaultValue("5s") Duration attemptTimeout,
        @DefaultValue("5ms") Duration pollMin,
        @DefaultValue("250ms") Duration pollMax) {

    static final String PREFIX = "surewrite.lease";

    /** {@return the values, checked} */
    LeaseSettings settings(Duration clockMargin) {
        return PropertyCheck.settings(
                PREFIX,
                "leases",
                () -> new LeaseSettings(
                        holder == null ? ManagementFactory.getRuntimeMXBean().getName() : holder,
                        ttl,
                        renewInterval,
                        clockMargin,
                        maxHold,
                        handOverLimit,
                        handOverTime,
                        attemptTimeout,
                        pollMin,
                        pollMax));
    }
}
