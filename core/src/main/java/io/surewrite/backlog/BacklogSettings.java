package io.surewrite.backlog;

import io.surewrite.write.Internal;
import java.time.Duration;

/**
 * How a backlog behaves.
 *
 * @param graceMargin how long before {@code gc_grace_seconds} are over a write is too old: it covers the clocks and the
 *     way to the server
 * @param concurrency how many writes are replayed at the same time
 * @param probeInterval how long after a failure the oldest write is tried again
 * @param maxProbeInterval what that grows to, by doubling
 * @param maxAttempts how often a write may fail while others succeed
 * @param shutdownTimeout how long closing waits for writes under way
 * @param maxEntryBytes how large an entry may be: a server takes no frame and no mutation that is larger
 */
@Internal
public record BacklogSettings(
        Duration graceMargin,
        int concurrency,
        Duration probeInterval,
        Duration maxProbeInterval,
        int maxAttempts,
        Duration shutdownTimeout,
        long maxEntryBytes) {

    /** Those of an application. The last one is what a server takes in one frame and one mutation, unless it is told otherwise. */
    public static final BacklogSettings DEFAULTS = new BacklogSettings(
            Duration.ofHours(1),
            32,
            Duration.ofMillis(100),
            Duration.ofSeconds(10),
            10,
            Duration.ofSeconds(5),
            16 << 20);
}
