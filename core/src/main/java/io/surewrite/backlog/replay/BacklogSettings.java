package io.surewrite.backlog.replay;

import java.time.Duration;

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
        require(!graceMargin.isNegative(), "grace-margin must not be negative");
        require(concurrency >= 1, "replay.concurrency must be at least 1");
        require(ratePerSecond >= 0, "replay.rate must not be negative");
        require(probeInterval.compareTo(Duration.ofMillis(1)) >= 0, "replay.probe-interval must be at least 1ms");
        require(
                maxProbeInterval.compareTo(probeInterval) >= 0,
                "replay.max-probe-interval must not be below replay.probe-interval");
        require(maxAttempts >= 1, "replay.max-attempts must be at least 1");
        require(maxEntryBytes >= 1, "max-entry-size must be positive");
        require(!shutdownTimeout.isNegative(), "shutdown-timeout must not be negative");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
