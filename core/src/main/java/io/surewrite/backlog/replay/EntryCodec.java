package io.surewrite.backlog.replay;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.backlog.BacklogException;
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
import java.util.function.Supplier;
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
            write(out, entry.statements(), EntryCodec::write);
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, BacklogEntry.Part part) throws IOException {
        write(out, part.cql());
        write(out, part.tables(), EntryCodec::write);
        write(out, part.values(), EntryCodec::write);
        out.writeInt(part.ttl());
        out.writeLong(part.expires() == null ? Long.MAX_VALUE : part.expires().toEpochMilli());
    }

    private static void write(DataOutputStream out, BacklogEntry.Table table) throws IOException {
        write(out, table.keyspace().asInternal());
        write(out, table.name().asInternal());
    }

    private static void write(DataOutputStream out, BacklogEntry.Value value) throws IOException {
        write(out, value.name());
        out.writeBoolean(value.isSet());
        write(out, value.bytes());
    }

    private interface Writer<T> {

        void write(DataOutputStream out, T item) throws IOException;
    }

    private static <T> void write(DataOutputStream out, List<T> items, Writer<T> writer) throws IOException {
        out.writeInt(items.size());
        for (T item : items) {
            writer.write(out, item);
        }
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
                    all(in, () -> part(in)));
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

    private static BacklogEntry.Part part(ByteBuffer in) {
        String cql = text(in);
        List<BacklogEntry.Table> tables = all(
                in,
                () -> new BacklogEntry.Table(
                        CqlIdentifier.fromInternal(text(in)), CqlIdentifier.fromInternal(text(in))));
        List<BacklogEntry.Value> values = all(in, () -> new BacklogEntry.Value(name(in), in.get() != 0, bytes(in)));
        int ttl = in.getInt();
        long expires = in.getLong();
        return new BacklogEntry.Part(
                cql, tables, values, ttl, expires == Long.MAX_VALUE ? null : Instant.ofEpochMilli(expires));
    }

    private static <T> List<T> all(ByteBuffer in, Supplier<T> reader) {
        List<T> items = new ArrayList<>();
        for (int left = in.getInt(); left > 0; left--) {
            items.add(reader.get());
        }
        return items;
    }

    private static @Nullable String name(ByteBuffer in) {
        byte[] bytes = bytes(in);
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    private static String text(ByteBuffer in) {
        String text = name(in);
        if (text == null) {
            throw new IllegalArgumentException("a text is missing");
        }
        return text;
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
