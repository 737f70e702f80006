package io.surewrite.backlog;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How much there is.
 *
 * @param entries how many writes wait
 * @param deadLetters how many were given up and wait for somebody to look
 * @param bytes how large both are, the file's overhead not counted
 * @param oldest when the oldest waiting write was decided, or null if none waits
 */
public record BacklogSize(
        long entries,
        long deadLetters,
        long bytes,
        @Nullable Instant oldest) {

    BacklogSize plus(long moreEntries, long moreDeadLetters, long moreBytes) {
        return new BacklogSize(entries + moreEntries, deadLetters + moreDeadLetters, bytes + moreBytes, oldest);
    }

    BacklogSize since(@Nullable Instant decided) {
        return new BacklogSize(entries, deadLetters, bytes, decided);
    }
}
