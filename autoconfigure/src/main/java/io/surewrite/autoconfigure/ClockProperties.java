package io.surewrite.autoconfigure;

import io.surewrite.cql.clock.ClockSettings;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The clocks of this process and of the nodes.
 *
 * @param enabled Whether they are measured.
 * @param interval How long from one measurement to the next while all is well. At least a second.
 * @param maxOffset How far the clock of this process may be off before writes that draw a timestamp are refused.
 * @param refuseWrites Whether such writes are refused then. Otherwise a wrong clock is reported only.
 */
@ConfigurationProperties(ClockProperties.PREFIX)
record ClockProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("1m") Duration interval,
        @DefaultValue("5s") Duration maxOffset,
        @DefaultValue("true") boolean refuseWrites) {

    static final String PREFIX = "surewrite.clock";

    ClockProperties {
        var unused =
                PropertyCheck.settings(PREFIX, "clocks", () -> new ClockSettings(interval, maxOffset, refuseWrites));
    }

    ClockSettings settings() {
        return new ClockSettings(interval, maxOffset, refuseWrites);
    }
}
