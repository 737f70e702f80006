package io.surewrite.backlog;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Entries as bytes: a version, then every component in its order; absent ones have the length -1. */
final class EntryCodec {

    private static final int VERSION = 2;

    /** Knew one session, and does not name it. */
    private static final int ONE_SESSION = 1;

    private EntryCodec() {}

    static byte[] encode(BacklogEntry entry) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            write(out, entry.session());
            write(out, entry.cluster());
            write(out, entry.operation());
            write(out, entry.kind().name());
            write(out, entry.keyspace());
            write(out, entry.consistency());
            out.writeLong(entry.timestamp());
            out.writeLong(entry.usefulUntil().toEpochMilli());
            out.writeInt(entry.statements().size());
            for (KeptStatement statement : entry.statements()) {
                write(out, statement);
            }
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, KeptStatement statement) throws IOException {
        write(out, statement.cql());
        out.writeInt(statement.tables().size());
        for (KeptStatement.Table table : statement.tables()) {
            write(out, table.keyspace().asInternal());
            write(out, table.name().asInternal());
        }
        out.writeInt(statement.values().size());
        for (KeptValue value : statement.values()) {
            write(out, value.name());
            out.writeBoolean(value.isSet());
            write(out, value.bytes());
        }
        out.writeInt(statement.ttl());
        out.writeLong(
                statement.expires() == null
                        ? Long.MAX_VALUE
                        : statement.expires().toEpochMilli());
    }

    private static void write(DataOutputStream out, @Nullable String text) throws IOException {
        write(out, text == null ? null : text.getBytes(StandardCharsets.UTF_8));
    }

    private static void write(DataOutputStream out, byte @Nullable [] bytes) throws IOException {
        out.writeInt(bytes == null ? -1 : bytes.length);
        if (bytes != null) {
            out.write(bytes);
        }
    }

    /**
     * The entry that was encoded.
     *
     * @throws BacklogException if it is none, or a newer version's
     */
    static BacklogEntry decode(byte[] body) {
        ByteBuffer in = ByteBuffer.wrap(body);
        try {
            int version = in.get();
            if (version != VERSION && version != ONE_SESSION) {
                throw new BacklogException(
                        "An entry of the backlog has the format %d, and this version of Surewrite reads %d"
                                .formatted(version, VERSION),
                        null);
            }
            return new BacklogEntry(
                    version == ONE_SESSION ? "" : text(in),
                    version == ONE_SESSION ? "" : text(in),
                    text(in),
                    BacklogEntry.Kind.valueOf(text(in)),
                    text(in),
                    text(in),
                    in.getLong(),
                    Instant.ofEpochMilli(in.getLong()),
                    statements(in));
        } catch (BufferUnderflowException | IllegalArgumentException damaged) {
            throw new BacklogException("An entry of the backlog cannot be read", damaged);
        }
    }

    /** The name of the session that an entry is for; empty if it names none, or cannot be read. */
    static String session(byte[] body) {
        ByteBuffer in = ByteBuffer.wrap(body);
        try {
            return in.get() == VERSION ? text(in) : "";
        } catch (BufferUnderflowException | IllegalArgumentException damaged) {
            return "";
        }
    }

    private static List<KeptStatement> statements(ByteBuffer in) {
        List<KeptStatement> statements = new ArrayList<>();
        for (int i = in.getInt(); i > 0; i--) {
            String cql = text(in);
            List<KeptStatement.Table> tables = new ArrayList<>();
            for (int j = in.getInt(); j > 0; j--) {
                tables.add(new KeptStatement.Table(
                        CqlIdentifier.fromInternal(text(in)), CqlIdentifier.fromInternal(text(in))));
            }
            List<KeptValue> values = new ArrayList<>();
            for (int j = in.getInt(); j > 0; j--) {
                byte[] name = bytes(in);
                values.add(new KeptValue(
                        name == null ? null : new String(name, StandardCharsets.UTF_8), in.get() != 0, bytes(in)));
            }
            int ttl = in.getInt();
            long expires = in.getLong();
            statements.add(new KeptStatement(
                    cql, tables, values, ttl, expires == Long.MAX_VALUE ? null : Instant.ofEpochMilli(expires)));
        }
        return statements;
    }

    private static String text(ByteBuffer in) {
        byte[] bytes = bytes(in);
        if (bytes == null) {
            throw new IllegalArgumentException("a text is missing");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte @Nullable [] bytes(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0) {
            return null;
        }
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }
}
