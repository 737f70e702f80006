package io.surewrite.autoconfigure;

import io.surewrite.internal.clock.ClockGuard;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The clocks of this process and of the nodes.
 *
 * @param enabled Whether they are measured.
 * @param margin How far the clocks of any two machines, nodes or this one, may be apart before no lease is acquired and no
 *     value is claimed. Leases and claims count as lost this much before they are over.
 * @param maxOffset How far the clock of this process may be off before no sure write is begun. At least the margin.
 */
@ConfigurationProperties(ClockProperties.PREFIX)
record ClockProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("500ms") Duration margin,
        @DefaultValue("5s") Duration maxOffset) {

    static final String PREFIX = "surewrite.clock";

    ClockGuard.Settings settings() {
        return PropertyCheck.settings(PREFIX, "clocks", () -> new ClockGuard.Settings(margin, maxOffset));
    }
}
