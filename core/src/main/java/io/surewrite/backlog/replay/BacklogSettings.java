package io.surewrite.backlog.replay;

import java.time.Duration;
import org.springframework.util.Assert;

/**
 * How a backlog behaves.
 *
 * @param graceMargin how long before {@code gc_grace_seconds} are over a write is too old: it covers the clocks and the
 *     way to the server
 * @param concurrency how many writes are replayed at the same time
 * @param ratePerSecond how many writes are replayed a second at most; 0 for no bound
 * @param probeInterval how long after a failure the oldest write is tried again
 * @param maxProbeInterval what that grows to, by doubling
 * @param maxAttempts how often a write may fail while others succeed
 * @param shutdownTimeout how long closing waits for writes under way
 * @param maxEntryBytes how large an entry may be: a server takes no frame and no mutation that is larger
 */
public record BacklogSettings(
        Duration graceMargin,
        int concurrency,
        int ratePerSecond,
        Duration probeInterval,
        Duration maxProbeInterval,
        int maxAttempts,
        Duration shutdownTimeout,
        long maxEntryBytes) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is out of its range
     */
    public BacklogSettings {
        Assert.isTrue(!graceMargin.isNegative(), "the margin before gc_grace_seconds must not be negative");
        Assert.isTrue(concurrency >= 1, "concurrency must be at least 1");
        Assert.isTrue(ratePerSecond >= 0, "replay-rate must not be negative");
        Assert.isTrue(probeInterval.compareTo(Duration.ofMillis(1)) >= 0, "probe-interval must be at least 1ms");
        Assert.isTrue(
                maxProbeInterval.compareTo(probeInterval) >= 0,
                "the greatest probe interval must not be below probe-interval");
        Assert.isTrue(maxAttempts >= 1, "max-attempts must be at least 1");
        Assert.isTrue(maxEntryBytes >= 1, "the size of an entry must be positive");
        Assert.isTrue(!shutdownTimeout.isNegative(), "the time for closing must not be negative");
    }
}
