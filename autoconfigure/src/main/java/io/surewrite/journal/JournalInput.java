package io.surewrite.journal;

import io.surewrite.journal.JournalStore.Stored;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Refuses bad input before anything is sent. */
final class JournalInput {

    static final Duration TOLERANCE = Duration.ofSeconds(1);

    /** What Cassandra takes as a part of a key. */
    private static final int LONGEST_KEY = 8 * 1024;

    /** Timestamps and the like, as Cassandra counts them. */
    private static final long BYTES_AN_ENTRY = 100;

    private JournalInput() {}

    static void checkEntity(String entityId) {
        if (entityId.isEmpty() || entityId.length() > LONGEST_KEY) {
            throw new JournalException("The id of an entity has 1 to " + LONGEST_KEY + " characters.");
        }
    }

    static void checkInstant(Instant at, Instant now) {
        if (at.isAfter(now.plus(TOLERANCE))) {
            throw new JournalException("The instant " + at + " lies in the future: the journal records what is known.");
        }
        if (!at.isAfter(Instant.EPOCH)) {
            throw new JournalException("The instant " + at + " lies before 1970.");
        }
    }

    /** Each entry goes to two partitions, so all of a call is one batch of twice their size. */
    static void checkSize(List<Stored> entries) {
        long bytes = entries.stream().mapToLong(JournalInput::bytes).sum();
        if (bytes > JournalSettings.MOST_BYTES) {
            throw new JournalException("The names and values of " + entries.size() + " attributes take " + bytes
                    + " bytes, and " + JournalSettings.MOST_BYTES + " are the most for one call, "
                    + BYTES_AN_ENTRY + " included for each attribute: it is written as one batch, and Cassandra refuses"
                    + " batches over 50 KiB (batch_size_fail_threshold). Record fewer attributes in a call, and keep"
                    + " larger values elsewhere.");
        }
    }

    private static long bytes(Stored entry) {
        return BYTES_AN_ENTRY
                + entry.attribute().getBytes(StandardCharsets.UTF_8).length
                + entry.value().getBytes(StandardCharsets.UTF_8).length;
    }

    static String name(String attribute) {
        if (attribute.isEmpty() || attribute.length() > LONGEST_KEY) {
            throw new JournalException("The name of an attribute has 1 to " + LONGEST_KEY + " characters.");
        }
        return attribute;
    }
}
