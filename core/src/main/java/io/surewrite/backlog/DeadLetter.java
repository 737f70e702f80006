package io.surewrite.backlog;

import java.time.Instant;
import java.util.List;

/**
 * A write that was given up after it was kept: nothing does it any more unless it is replayed on request.
 *
 * @param id names it for {@link WriteBacklog#replayDeadLetters} and {@link WriteBacklog#discardDeadLetters}
 * @param operation what it was kept for
 * @param session the name of the session it was kept for, empty for the primary one
 * @param keyspace the session's keyspace at that time, empty if there was none
 * @param statements the CQL
 * @param timestamp its write timestamp, in microseconds
 * @param died when it was given up
 * @param reason why
 * @param detail what the server said, or what else there is to know, and what fixes it
 */
public record DeadLetter(
        long id,
        String operation,
        String session,
        String keyspace,
        List<Statement> statements,
        long timestamp,
        Instant died,
        Reason reason,
        String detail) {

    /** Why a write was given up. */
    public enum Reason {
        /** The server, or the driver, does not accept it: a dropped table, a renamed column, missing rights. */
        REJECTED,
        /** It waited so long that it could bring deleted data back. */
        TOO_OLD,
        /** It cannot be read any more, or belongs to another session, cluster or keyspace. */
        UNUSABLE,
        /** Its table was emptied, or dropped and created again, after the write was decided. */
        TABLE_REPLACED,
        /** Its timestamp is in the future: done now, it would hide what others write until then. */
        AHEAD_OF_TIME,
        /** The disk changed it. It cannot be replayed; to discard it says that you know. */
        DAMAGED,
        /** Stands for writes that are gone from the disk. It cannot be replayed; to discard it says that you know. */
        LOST;

        /** {@return whether the disk lost it, so that nothing can replay it} */
        public boolean isLoss() {
            return this == DAMAGED || this == LOST;
        }
    }

    /**
     * One statement of a dead letter.
     *
     * @param cql its text
     * @param values its values as the server would have got them, in hexadecimal; {@code null} and {@code unset} by
     *     these words
     */
    public record Statement(String cql, List<String> values) {}
}
