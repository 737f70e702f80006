package io.surewrite.backlog;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.data.ByteUtils;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A write that waits, with all it takes to do it as it was decided.
 *
 * @param session the name of the session it is for; as its bean is called
 * @param cluster the name of that session's cluster, empty if it is not known
 * @param keyspace the session's keyspace, empty if it has none
 * @param timestamp its write timestamp, in microseconds
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
        List<Part> statements) {

    BacklogEntry {
        statements = List.copyOf(statements);
    }

    /** The statements that have not expired. */
    List<Part> alive(Instant now) {
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

    /** When a write of this timestamp is too old for a table that keeps its tombstones for so long. */
    static Instant usefulUntil(long timestamp, Duration grace, Duration margin) {
        return instant(timestamp).plus(grace).minus(margin);
    }

    /**
     * One statement of an entry.
     *
     * @param ttl which value is the time to live, or -1 if none is
     * @param expires when what it writes expires, or null if it does not
     */
    record Part(
            String cql,
            List<Table> tables,
            List<Value> values,
            int ttl,
            @Nullable Instant expires) {

        Part {
            tables = List.copyOf(tables);
            values = List.copyOf(values);
        }

        boolean isExpired(Instant now) {
            return expires != null && !expires.isAfter(now);
        }

        private DeadLetter.Statement shown() {
            return new DeadLetter.Statement(
                    cql, values.stream().map(Value::shown).toList());
        }
    }

    /**
     * A table that is written.
     *
     * @param id which of all tables that ever had the name; null if that is not known
     */
    record Table(
            CqlIdentifier keyspace,
            CqlIdentifier name,
            @Nullable UUID id) {}

    /**
     * A value as the server gets it.
     *
     * @param name of the bind marker, or null if values go by their positions
     * @param isSet whether it is given at all; what is not leaves the column as it is
     * @param bytes encoded, or null for null
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Value(@Nullable String name, boolean isSet, byte @Nullable [] bytes) {

        private String shown() {
            String prefix = name == null ? "" : name + "=";
            if (!isSet) {
                return prefix + "unset";
            }
            return prefix + (bytes == null ? "null" : ByteUtils.toHexString(bytes));
        }
    }

    /** A dead letter as people see it. */
    static DeadLetter shown(StoredEntry dead, EntryCodec codec) {
        DeadLetter.Reason reason = Objects.requireNonNull(dead.reason());
        if (!reason.isLoss()) {
            try {
                BacklogEntry entry = codec.decode(dead.body());
                return new DeadLetter(
                        dead.id(),
                        entry.operation,
                        entry.session,
                        entry.keyspace,
                        entry.statements.stream().map(Part::shown).toList(),
                        entry.timestamp,
                        dead.died(),
                        reason,
                        dead.detail());
            } catch (BacklogException unreadable) {
                // As one that was lost.
            }
        }
        return new DeadLetter(dead.id(), "unreadable", "", "", List.of(), 0, dead.died(), reason, dead.detail());
    }
}
