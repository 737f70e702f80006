package io.surewrite.backlog;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.data.ByteUtils;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A write that waits, with all it takes to do it as it was decided: one statement, or those of a batch. */
record BacklogEntry(
        String session,
        String cluster,
        String operation,
        @Nullable DefaultBatchType batch,
        String keyspace,
        String consistency,
        long timestamp,
        Instant usefulUntil,
        List<Part> statements) {

    /** The statements that have not expired. */
    List<Part> alive(Instant now) {
        return statements.stream()
                .filter(statement -> !statement.isExpired(now))
                .toList();
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plusNanos(Math.multiplyExact(micros, 1_000L));
    }

    /** When a write of this timestamp is too old for a table that keeps its tombstones for so long. */
    static Instant usefulUntil(long timestamp, Duration grace, Duration margin) {
        return instant(timestamp).plus(grace).minus(margin);
    }

    /** One statement, and which of its values is the time to live, or -1 if none is. */
    record Part(
            String cql,
            List<Table> tables,
            List<Value> values,
            int ttl,
            @Nullable Instant expires) {

        boolean isExpired(Instant now) {
            return expires != null && !expires.isAfter(now);
        }

        private DeadLetter.Statement shown() {
            return new DeadLetter.Statement(
                    cql, values.stream().map(Value::shown).toList());
        }
    }

    /** A table that is written: the id tells which of all that ever had the name. */
    record Table(
            CqlIdentifier keyspace,
            CqlIdentifier name,
            @Nullable UUID id) {}

    /** A value as the server gets it; one that is not set leaves the column as it is. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Value(boolean isSet, byte @Nullable [] bytes) {

        private String shown() {
            return !isSet ? "unset" : bytes == null ? "null" : ByteUtils.toHexString(bytes);
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
