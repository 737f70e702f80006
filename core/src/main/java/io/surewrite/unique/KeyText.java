package io.surewrite.unique;

import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.data.ByteUtils;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.codec.TypeCodec;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import com.datastax.oss.driver.api.core.type.codec.registry.CodecRegistry;
import io.surewrite.internal.rows.TableColumn;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/** A part of a primary key as text, the same for all encodings that lead to one row: texts and ids as people know them. */
final class KeyText {

    /** Simple types are encoded alike in all versions. */
    private static final ProtocolVersion ANY = ProtocolVersion.DEFAULT;

    private static final Set<DataType> TEXTS = Set.of(DataTypes.TEXT, DataTypes.ASCII);
    private static final Set<DataType> IDS = Set.of(DataTypes.UUID, DataTypes.TIMEUUID);

    private static final Set<DataType> WITH_SEVERAL_ENCODINGS =
            Set.of(DataTypes.DECIMAL, DataTypes.VARINT, DataTypes.BOOLEAN, DataTypes.FLOAT, DataTypes.DOUBLE);

    private KeyText() {}

    static String of(TableColumn column, ByteBuffer encoded) {
        DataType type = column.type();
        ByteBuffer bytes = column.role() == TableColumn.Role.CLUSTERING ? canonical(type, encoded) : encoded;
        if (TEXTS.contains(type)) {
            return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
        }
        return IDS.contains(type) && bytes.hasRemaining()
                ? String.valueOf(TypeCodecs.UUID.decode(bytes, ANY))
                : HexFormat.of().formatHex(ByteUtils.getArray(bytes));
    }

    static ByteBuffer bytes(DataType type, String text) {
        if (TEXTS.contains(type)) {
            return StandardCharsets.UTF_8.encode(text);
        }
        return IDS.contains(type) && !text.isEmpty()
                ? Objects.requireNonNull(TypeCodecs.UUID.encode(UUID.fromString(text), ANY))
                : ByteBuffer.wrap(HexFormat.of().parseHex(text));
    }

    /** Cassandra compares clustering columns by what they mean: a decimal 1.0 is 1.00. Partition keys it compares by their bytes. */
    private static ByteBuffer canonical(DataType type, ByteBuffer encoded) {
        if (!encoded.hasRemaining() || !WITH_SEVERAL_ENCODINGS.contains(type)) {
            return encoded; // to what is empty nothing else is equal
        }
        TypeCodec<Object> codec = CodecRegistry.DEFAULT.codecFor(type);
        Object value = codec.decode(encoded.duplicate(), ANY);
        if (value instanceof BigDecimal decimal) {
            value = decimal.stripTrailingZeros();
        } else if (value instanceof Float number && number.isNaN()) {
            value = Float.NaN;
        } else if (value instanceof Double number && number.isNaN()) {
            value = Double.NaN;
        }
        return Objects.requireNonNull(codec.encode(value, ANY));
    }
}
