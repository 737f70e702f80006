package io.surewrite.backlog;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
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
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Entries as bytes: a version, then every component in its order; absent ones have the length -1. The statements are
 * encrypted if there is a cipher. The store has a checksum of them, so that the wholeness of an entry can be seen without a key.
 */
record EntryCodec(@Nullable BacklogCipher cipher) {

    private static final int VERSION = 3;

    byte[] encode(BacklogEntry entry) {
        byte[] statements = bytes(out -> {
            out.writeInt(entry.statements().size());
            for (BacklogEntry.Part part : entry.statements()) {
                write(out, part);
            }
        });
        String key = cipher == null ? null : cipher.keyId();
        byte[] hidden = cipher == null || key == null ? statements : cipher.encrypt(key, statements);
        return bytes(out -> {
            out.writeByte(VERSION);
            write(out, entry.session());
            write(out, entry.cluster());
            write(out, entry.operation());
            write(out, entry.batch() == null ? null : entry.batch().name());
            write(out, entry.keyspace());
            write(out, entry.consistency());
            out.writeLong(entry.timestamp());
            out.writeLong(entry.usefulUntil().toEpochMilli());
            write(out, key);
            write(out, hidden);
        });
    }

    private interface Filling {

        void fill(DataOutputStream out) throws IOException;
    }

    private static byte[] bytes(Filling filling) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        try {
            filling.fill(new DataOutputStream(bytes));
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, BacklogEntry.Part part) throws IOException {
        write(out, part.cql());
        out.writeInt(part.tables().size());
        for (BacklogEntry.Table table : part.tables()) {
            write(out, table.keyspace().asInternal());
            write(out, table.name().asInternal());
            write(out, table.id() == null ? null : table.id().toString());
        }
        out.writeInt(part.values().size());
        for (BacklogEntry.Value value : part.values()) {
            out.writeBoolean(value.isSet());
            write(out, value.bytes());
        }
        out.writeInt(part.ttl());
        out.writeLong(part.expires() == null ? Long.MAX_VALUE : part.expires().toEpochMilli());
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

    BacklogEntry decode(byte[] body) {
        ByteBuffer in = ByteBuffer.wrap(body);
        try {
            int version = in.get();
            if (version != VERSION) {
                throw new BacklogException(
                        BacklogException.Reason.UNAVAILABLE,
                        "An entry of the backlog has the format %d, and this version of Surewrite reads %d"
                                .formatted(version, VERSION));
            }
            BacklogEntry entry = new BacklogEntry(
                    text(in),
                    text(in),
                    text(in),
                    Optional.ofNullable(name(in)).map(DefaultBatchType::valueOf).orElse(null),
                    text(in),
                    text(in),
                    in.getLong(),
                    Instant.ofEpochMilli(in.getLong()),
                    statements(in));
            if (in.hasRemaining()) {
                throw new IllegalArgumentException("there is more than an entry");
            }
            return entry;
        } catch (BufferUnderflowException | IllegalArgumentException unreadable) {
            throw new BacklogException(
                    BacklogException.Reason.UNAVAILABLE, "An entry of the backlog cannot be read", unreadable);
        }
    }

    private List<BacklogEntry.Part> statements(ByteBuffer in) {
        String key = name(in);
        byte[] hidden = bytes(in);
        if (hidden == null) {
            throw new IllegalArgumentException("the statements are missing");
        }
        ByteBuffer plain = ByteBuffer.wrap(key == null ? hidden : decrypted(key, hidden));
        List<BacklogEntry.Part> statements = all(plain, () -> part(plain));
        if (plain.hasRemaining()) {
            throw new IllegalArgumentException("there is more than the statements");
        }
        return statements;
    }

    private byte[] decrypted(String key, byte[] hidden) {
        try {
            if (cipher == null) {
                throw new IllegalStateException("there is no bean of type BacklogCipher");
            }
            return cipher.decrypt(key, hidden);
        } catch (RuntimeException refused) {
            throw new BacklogException(
                    BacklogException.Reason.UNAVAILABLE,
                    "It cannot be decrypted with the key '%s': %s. Fix: define a BacklogCipher that has this key, and replay it"
                            .formatted(key, refused.getMessage()),
                    refused);
        }
    }

    /** The name of the session that an entry is for; empty if it names none, or cannot be read. */
    static String session(byte[] body) {
        ByteBuffer in = ByteBuffer.wrap(body);
        try {
            in.get();
            return text(in);
        } catch (BufferUnderflowException | IllegalArgumentException damaged) {
            return "";
        }
    }

    private static BacklogEntry.Part part(ByteBuffer in) {
        String cql = text(in);
        List<BacklogEntry.Table> tables = all(in, () -> {
            CqlIdentifier keyspace = CqlIdentifier.fromInternal(text(in));
            CqlIdentifier table = CqlIdentifier.fromInternal(text(in));
            String id = name(in);
            return new BacklogEntry.Table(keyspace, table, id == null ? null : UUID.fromString(id));
        });
        List<BacklogEntry.Value> values = all(in, () -> new BacklogEntry.Value(in.get() != 0, bytes(in)));
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
