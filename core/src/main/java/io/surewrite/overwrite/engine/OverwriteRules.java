package io.surewrite.overwrite.engine;

import io.surewrite.overwrite.InvalidTimestampException;
import io.surewrite.overwrite.ListOverwriteException;
import io.surewrite.overwrite.OverwriteOptions;
import io.surewrite.overwrite.OverwriteSettings;
import io.surewrite.overwrite.OverwriteTooLargeException;
import io.surewrite.overwrite.UnsupportedOverwriteException;
import io.surewrite.rows.EntityTable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Refuses bad input before anything is sent. */
final class OverwriteRules {

    /** A client's clock may run this much ahead of ours. */
    private static final Duration TOLERANCE = Duration.ofSeconds(1);

    /** The longest time to live that Cassandra takes. */
    private static final Duration LONGEST_TTL = Duration.ofDays(20 * 365);

    /** The protocol counts them in two bytes. */
    private static final int MOST_STATEMENTS = 65_535;

    private final OverwriteSettings settings;
    private final Clock clock;

    OverwriteRules(OverwriteSettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
    }

    void checkTimestamp(long micros) {
        if (micros < 1) {
            throw new InvalidTimestampException(
                    "The timestamp " + micros + " is not positive: give microseconds since the epoch.");
        }
        long now = ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant().plus(TOLERANCE));
        if (micros > now) {
            throw new InvalidTimestampException("The timestamp " + micros + " lies " + (micros - now)
                    + " microseconds in the future, where it would shadow every write until then: give microseconds"
                    + " since the epoch.");
        }
    }

    @Nullable
    Integer ttlSeconds(OverwriteOptions options) {
        Duration ttl = options.ttl();
        if (ttl == null) {
            return null;
        }
        if (ttl.isNegative() || ttl.compareTo(LONGEST_TTL) > 0) {
            throw new UnsupportedOverwriteException("The time to live " + ttl + " is not between 0 and 20 years.");
        }
        return (int) ttl.plusSeconds(1).minusNanos(1).toSeconds();
    }

    void checkLists(EntityTable target) {
        if (!settings.allowLists() && !target.lists().isEmpty()) {
            throw new ListOverwriteException("Column " + target.lists().get(0).cql() + " of " + target.qualifiedName()
                    + " is a non-frozen list: a repeated write would duplicate its elements, because the server invents a"
                    + " key for each of them. Make it frozen, or a set; or accept this with"
                    + " surewrite.overwrite.allow-lists=true, and overwrites of the table are not repeated by the"
                    + " driver.");
        }
    }

    void checkStatements(EntityTable target, int statements) {
        if (statements > MOST_STATEMENTS) {
            throw new OverwriteTooLargeException(
                    "A partition of " + target.qualifiedName() + " would take " + statements + " statements, and "
                            + MOST_STATEMENTS + " are the most for one batch. Write fewer rows.");
        }
    }

    void checkSize(EntityTable target, long bytes) {
        if (bytes > settings.maxBytes()) {
            throw new OverwriteTooLargeException("An overwrite in " + target.qualifiedName() + " takes " + bytes
                    + " bytes, and surewrite.overwrite.max-size allows " + settings.maxBytes()
                    + ": as one mutation it is held in memory whole, by the coordinator and by every replica. Write"
                    + " smaller rows, or fewer at a time.");
        }
    }
}
