package io.surewrite.cql.clock;

import io.surewrite.cql.WriteTimestamps;
import java.time.Duration;
import org.springframework.util.Assert;

/**
 * How the clocks are watched.
 *
 * @param interval how long from one measurement to the next while all is well; at least a second
 * @param maxOffset how far the clock of this process may be off before writes are refused
 * @param refuseWrites whether they are refused then; otherwise it is reported only
 */
public record ClockSettings(Duration interval, Duration maxOffset, boolean refuseWrites) {

    /** Checks the values. */
    public ClockSettings {
        Assert.isTrue(
                interval.compareTo(Duration.ofSeconds(1)) >= 0,
                () -> "interval must be at least a second, but is " + interval);
        Assert.isTrue(
                maxOffset.compareTo(Duration.ofMillis(1)) >= 0,
                () -> "max-offset must be at least a millisecond, but is " + maxOffset);
    }

    /** {@return a measurement every minute, and no writes if the clock is five seconds off} */
    public static ClockSettings defaults() {
        return new ClockSettings(Duration.ofMinutes(1), WriteTimestamps.DEFAULT_MAX_OFFSET, true);
    }
}
