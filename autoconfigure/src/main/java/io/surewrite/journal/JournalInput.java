package io.surewrite.journal;

import java.time.Duration;
import java.time.Instant;

/** Refuses bad input before anything is sent. */
final class JournalInput {

    private static final Duration TOLERANCE = Duration.ofSeconds(1);

    /** What Cassandra takes as a part of a key. */
    private static final int LONGEST_KEY = 8 * 1024;

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

    static void checkCount(int attributes) {
        if (attributes > JournalSettings.MOST_ATTRIBUTES) {
            throw new JournalException(attributes + " attributes are more than " + JournalSettings.MOST_ATTRIBUTES
                    + ", the most for one call: they are written as one batch.");
        }
    }

    static String name(String attribute) {
        if (attribute.isEmpty() || attribute.length() > LONGEST_KEY) {
            throw new JournalException("The name of an attribute has 1 to " + LONGEST_KEY + " characters.");
        }
        return attribute;
    }

    static String value(String attribute, AttributeValue value) {
        String formatted = ValueFormat.format(value);
        if (formatted.length() > JournalSettings.LONGEST_VALUE) {
            throw new JournalException("The value of " + attribute + " has " + formatted.length() + " characters, and "
                    + JournalSettings.LONGEST_VALUE + " are the most.");
        }
        return formatted;
    }
}
