package io.surewrite.journal;

import io.surewrite.journal.JournalStore.Stored;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Refuses bad input before anything is sent. */
final class JournalInput {

    static final Duration TOLERANCE = Duration.ofSeconds(1);

    /** What Cassandra takes as a part of a key. */
    private static final int LONGEST_KEY = 8 * 1024;

    /** Timestamps and the like, as Cassandra counts them. */
    private static final long BYTES_AN_ENTRY = 100;

    private static final long MICROS_A_SECOND = 1_000_000;
    private static final int NANOS_A_MICRO = 1_000;
    private static final long LAST_SECOND = Long.MAX_VALUE / MICROS_A_SECOND;

    private JournalInput() {}

    /** The row of the table with what all processes have agreed on. */
    static final String RESERVED = "surewrite:journal";

    static void checkEntity(String entityId) {
        if (entityId.equals(RESERVED)) {
            throw new JournalException("The id " + RESERVED + " is the journal's own.");
        }
        if (entityId.isEmpty() || entityId.length() > LONGEST_KEY) {
            throw new JournalException("The id of an entity has 1 to " + LONGEST_KEY + " characters.");
        }
    }

    static void checkInstant(Instant at, Instant now, TimeToLive ttl) {
        if (at.isAfter(now.plus(TOLERANCE))) {
            throw new JournalException("The instant " + at + " lies in the future: the journal records what is known.");
        }
        if (!at.isAfter(Instant.EPOCH)) {
            throw new JournalException("The instant " + at + " lies before 1970.");
        }
        if (ttl.of(at) == TimeToLive.EXPIRED) {
            throw new JournalException("The instant " + at + " lies further back than " + ttl.all()
                    + ", which is how long the journal keeps entries (surewrite.journal.time-to-live).");
        }
    }

    /** Microseconds since 1970, rounded down. Instants that no long can hold are the first and the last ones. */
    static long micros(Instant at) {
        if (at.getEpochSecond() >= LAST_SECOND) {
            return Long.MAX_VALUE;
        }
        if (at.getEpochSecond() <= -LAST_SECOND) {
            return Long.MIN_VALUE;
        }
        return at.getEpochSecond() * MICROS_A_SECOND + at.getNano() / NANOS_A_MICRO;
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** The first microsecond that is not before an instant. */
    static long microsNotBefore(Instant at) {
        long micros = micros(at);
        return micros < Long.MAX_VALUE && at.isAfter(instant(micros)) ? micros + 1 : micros;
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
