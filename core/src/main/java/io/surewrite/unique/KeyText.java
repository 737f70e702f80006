package io.surewrite.unique;

import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.UUID;

/** A part of a primary key as text, and back: texts and ids as people know them, everything else in hexadecimal. */
final class KeyText {

    private KeyText() {}

    static String of(DataType type, ByteBuffer bytes) {
        ByteBuffer read = bytes.duplicate();
        if (isText(type)) {
            return StandardCharsets.UTF_8.decode(read).toString();
        }
        if (isUuid(type) && read.hasRemaining()) {
            return new UUID(read.getLong(), read.getLong()).toString();
        }
        byte[] copy = new byte[read.remaining()];
        read.get(copy);
        return HexFormat.of().formatHex(copy);
    }

    static ByteBuffer bytes(DataType type, String text) {
        if (isText(type)) {
            return StandardCharsets.UTF_8.encode(text);
        }
        if (isUuid(type) && !text.isEmpty()) {
            UUID id = UUID.fromString(text);
            return ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(id.getMostSignificantBits())
                    .putLong(id.getLeastSignificantBits())
                    .flip();
        }
        return ByteBuffer.wrap(HexFormat.of().parseHex(text));
    }

    private static boolean isText(DataType type) {
        return type.equals(DataTypes.TEXT) || type.equals(DataTypes.ASCII);
    }

    private static boolean isUuid(DataType type) {
        return type.equals(DataTypes.UUID) || type.equals(DataTypes.TIMEUUID);
    }
}
