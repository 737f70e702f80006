package io.surewrite.unique;

import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import io.surewrite.internal.rows.TableColumn;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.UUID;

/** A part of a primary key as text, the same for all encodings that lead to one row: texts and ids as people know them. */
final class KeyText {

    private KeyText() {}

    static String of(TableColumn column, ByteBuffer encoded) {
        DataType type = column.type();
        ByteBuffer bytes = column.role() == TableColumn.Role.CLUSTERING ? canonical(type, encoded) : encoded;
        ByteBuffer read = bytes.duplicate();
        if (isText(type)) {
            return StandardCharsets.UTF_8.decode(read).toString();
        }
        if (isUuid(type) && read.hasRemaining()) {
            return new UUID(read.getLong(), read.getLong()).toString();
        }
        return HexFormat.of().formatHex(copy(read));
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

    /** Cassandra compares clustering columns by what they mean: a decimal 1.0 is 1.00. Partition keys it compares by their bytes. */
    private static ByteBuffer canonical(DataType type, ByteBuffer encoded) {
        if (!encoded.hasRemaining()) {
            return encoded; // which nothing else is equal to
        }
        int at = encoded.position();
        if (type.equals(DataTypes.DECIMAL)) {
            BigInteger unscaled =
                    new BigInteger(copy(encoded.slice(at + Integer.BYTES, encoded.remaining() - Integer.BYTES)));
            BigDecimal shortest = new BigDecimal(unscaled, encoded.getInt(at)).stripTrailingZeros();
            byte[] digits = shortest.unscaledValue().toByteArray();
            return ByteBuffer.allocate(Integer.BYTES + digits.length)
                    .putInt(shortest.scale())
                    .put(digits)
                    .flip();
        }
        if (type.equals(DataTypes.VARINT)) {
            return ByteBuffer.wrap(new BigInteger(copy(encoded)).toByteArray());
        }
        if (type.equals(DataTypes.BOOLEAN)) {
            return ByteBuffer.wrap(new byte[] {(byte) (encoded.get(at) == 0 ? 0 : 1)});
        }
        if (type.equals(DataTypes.FLOAT) && Float.isNaN(encoded.getFloat(at))) {
            return ByteBuffer.allocate(Float.BYTES).putFloat(Float.NaN).flip();
        }
        if (type.equals(DataTypes.DOUBLE) && Double.isNaN(encoded.getDouble(at))) {
            return ByteBuffer.allocate(Double.BYTES).putDouble(Double.NaN).flip();
        }
        return encoded;
    }

    private static byte[] copy(ByteBuffer encoded) {
        byte[] bytes = new byte[encoded.remaining()];
        encoded.duplicate().get(bytes);
        return bytes;
    }

    private static boolean isText(DataType type) {
        return type.equals(DataTypes.TEXT) || type.equals(DataTypes.ASCII);
    }

    private static boolean isUuid(DataType type) {
        return type.equals(DataTypes.UUID) || type.equals(DataTypes.TIMEUUID);
    }
}
