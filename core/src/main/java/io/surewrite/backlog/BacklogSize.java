package io.surewrite.backlog;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How much there is.
 *
 * @param entries how many writes wait
 * @param deadLetters how many were given up and wait for a decision
 * @param bytes how large both are, the file's overhead not counted
 * @param oldest when the oldest waiting write was decided, or null if none waits
 * @param lost how many of the kept writes the disk has lost or damaged, at least; 0 again when their dead letters are discarded
 */
public record BacklogSize(
        long entries,
        long deadLetters,
        long bytes,
        @Nullable Instant oldest,
        long lost) {

    /** {@return how long ago the oldest waiting write was decided; zero if none waits} */
    public Duration age(Instant now) {
        return oldest == null ? Duration.ZERO : Duration.between(oldest, now);
    }
}
