package io.surewrite.backlog;

import io.surewrite.backlog.DeadLetter.Reason;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A row of the store: a write that waits or, with a reason, a dead letter. It stands for {@code lost} writes that the disk has lost
 * or damaged, and is not whole if the disk has changed it.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record StoredEntry(
        long id,
        Instant decided,
        byte[] body,
        Instant died,
        @Nullable Reason reason,
        String detail,
        long lost,
        boolean isWhole) {

    static final String DDL = """
            CREATE TABLE entry (
                id INTEGER PRIMARY KEY, decided INTEGER NOT NULL, died INTEGER NOT NULL,
                reason TEXT, detail TEXT NOT NULL, lost INTEGER NOT NULL, checksum INTEGER NOT NULL, body BLOB NOT NULL)
            """;

    private static final Map<String, Reason> REASONS =
            Stream.of(Reason.values()).collect(Collectors.toMap(Reason::name, reason -> reason));

    static final String SELECT = "SELECT id, decided, died, reason, detail, lost, checksum, body FROM entry WHERE ";

    static final String INSERT =
            "INSERT INTO entry (id, decided, died, reason, detail, lost, checksum, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";

    static StoredEntry waiting(long id, Instant decided, byte[] body) {
        return new StoredEntry(id, decided, body, Instant.EPOCH, null, "", 0, true);
    }

    StoredEntry dead(Instant at, Reason why, String said) {
        return new StoredEntry(id, decided, body, at, why, said, why.isLoss() ? 1 : 0, true);
    }

    /** A letter in place of one that the disk has changed. */
    static StoredEntry damaged(long id, StoredEntry was) {
        return waiting(id, was.decided, new byte[0])
                .dead(Instant.now(), Reason.DAMAGED, "its checksum does not fit: it is not what was kept");
    }

    static StoredEntry lost(long id, long missing, String said) {
        Instant now = Instant.now();
        return new StoredEntry(id, now, new byte[0], now, Reason.LOST, said, missing, true);
    }

    static StoredEntry read(ResultSet row) throws SQLException {
        byte[] body = row.getBytes(8);
        String text = row.getString(4);
        StoredEntry entry = new StoredEntry(
                row.getLong(1),
                Instant.ofEpochMilli(row.getLong(2)),
                body == null ? new byte[0] : body,
                Instant.ofEpochMilli(row.getLong(3)),
                text == null ? null : REASONS.getOrDefault(text, Reason.DAMAGED),
                String.valueOf(row.getString(5)),
                row.getLong(6),
                true);
        return entry.checksum() == row.getLong(7) ? entry : entry.changed();
    }

    private StoredEntry changed() {
        return new StoredEntry(id, decided, body, died, reason, detail, lost, false);
    }

    void write(PreparedStatement to) throws SQLException {
        to.setLong(1, id);
        to.setLong(2, decided.toEpochMilli());
        to.setLong(3, died.toEpochMilli());
        to.setString(4, reason == null ? null : reason.name());
        to.setString(5, detail);
        to.setLong(6, lost);
        to.setLong(7, checksum());
        to.setBytes(8, body);
        to.executeUpdate();
    }

    private long checksum() {
        CRC32C crc = new CRC32C();
        String said = id + " " + decided.toEpochMilli() + " " + died.toEpochMilli() + " " + lost;
        crc.update((said + " " + reason + " " + detail + "\n").getBytes(StandardCharsets.UTF_8));
        crc.update(body);
        return crc.getValue();
    }
}
