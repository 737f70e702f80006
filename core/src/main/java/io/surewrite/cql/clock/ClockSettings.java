package io.surewrite.cql.clock;

import io.surewrite.cql.WriteTimestamps;
import java.time.Duration;
import org.springframework.util.Assert;

/**
 * How far clocks may be apart.
 *
 * @param margin how far any two of them, of nodes or of this process, before no lease is acquired and nothing is claimed
 * @param maxOffset how far the clock of this process may be off before no sure write is begun; at least the margin
 */
public record ClockSettings(Duration margin, Duration maxOffset) {

    /** Checks the values. */
    public ClockSettings {
        Assert.isTrue(
                margin.compareTo(Duration.ofMillis(1)) >= 0,
                () -> "margin must be at least a millisecond, but is " + margin);
        Assert.isTrue(
                maxOffset.compareTo(margin) >= 0,
                () -> "max-offset %s must not be below the margin %s".formatted(maxOffset, margin));
    }

    /** {@return no leases and claims from half a second on, and no sure writes from five seconds on} */
    public static ClockSettings defaults() {
        return new ClockSettings(Duration.ofMillis(500), WriteTimestamps.DEFAULT_MAX_OFFSET);
    }
}
