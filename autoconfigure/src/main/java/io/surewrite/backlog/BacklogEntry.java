package io.surewrite.backlog;

import java.time.Instant;
import java.util.List;

/**
 * A write that waits, with all it takes to do it as it was decided.
 *
 * @param session the name of the session it is for; empty if it was kept by a version that knew one only, the primary one
 * @param cluster the name of that session's cluster, empty if nobody knows
 * @param operation what it is for
 * @param kind how its statements belong together
 * @param keyspace the session's keyspace, empty if it has none
 * @param consistency the level it was to be written at
 * @param timestamp its write timestamp, in microseconds
 * @param usefulUntil when it is too old to be done
 * @param statements one, or those of a batch
 */
record BacklogEntry(
        String session,
        String cluster,
        String operation,
        Kind kind,
        String keyspace,
        String consistency,
        long timestamp,
        Instant usefulUntil,
        List<KeptStatement> statements) {

    BacklogEntry {
        statements = List.copyOf(statements);
    }

    /** The statements that have not expired. */
    List<KeptStatement> alive(Instant now) {
        if (statements.size() == 1) {
            return statements.get(0).isExpired(now) ? List.of() : statements;
        }
        return statements.stream()
                .filter(statement -> !statement.isExpired(now))
                .toList();
    }

    /** How statements belong together; the names are part of the file's format. */
    enum Kind {
        SINGLE,
        LOGGED,
        UNLOGGED
    }

    /** When something was decided that has this timestamp. */
    static Instant instant(long micros) {
        return Instant.EPOCH.plusNanos(Math.multiplyExact(micros, 1_000L));
    }
}
