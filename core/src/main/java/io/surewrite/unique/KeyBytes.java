package io.surewrite.unique;

import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.ListType;
import com.datastax.oss.driver.api.core.type.MapType;
import com.datastax.oss.driver.api.core.type.SetType;
import com.datastax.oss.driver.api.core.type.TupleType;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import com.datastax.oss.driver.api.core.type.VectorType;
import io.surewrite.internal.rows.TableColumn;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A part of a primary key in the one encoding that all have that are the same to Cassandra. It compares clustering columns
 * by what they mean: a decimal 1.0 is 1.00. It compares partition keys by their bytes, but puts sets and maps in order first.
 */
final class KeyBytes {

    private static final Comparator<List<@Nullable ByteBuffer>> BY_BYTES =
            (one, other) -> Arrays.compareUnsigned(bytes(one.get(0)), bytes(other.get(0)));

    private static final KeyBytes BY_MEANING = new KeyBytes(true);
    private static final KeyBytes IN_ORDER = new KeyBytes(false);

    private final boolean byMeaning;

    private KeyBytes(boolean byMeaning) {
        this.byMeaning = byMeaning;
    }

    /** {@return the encoding that all have that lead to the same row} */
    static ByteBuffer canonical(TableColumn column, ByteBuffer encoded) {
        return (column.role() == TableColumn.Role.CLUSTERING ? BY_MEANING : IN_ORDER).of(column.type(), encoded);
    }

    private ByteBuffer of(DataType type, ByteBuffer encoded) {
        if (!encoded.hasRemaining()) {
            return encoded; // which nothing else is equal to
        }
        if (type instanceof ListType list) {
            return elements(List.of(list.getElementType()), encoded, false);
        }
        if (type instanceof SetType set) {
            return elements(List.of(set.getElementType()), encoded, true);
        }
        if (type instanceof MapType map) {
            return elements(List.of(map.getKeyType(), map.getValueType()), encoded, true);
        }
        if (type instanceof TupleType tuple) {
            return fields(tuple.getComponentTypes(), encoded);
        }
        if (type instanceof UserDefinedType udt) {
            return fields(udt.getFieldTypes(), encoded);
        }
        if (!byMeaning) {
            return encoded;
        }
        return type instanceof VectorType vector ? numbers(vector, encoded) : single(type, encoded);
    }

    // ---- what has several encodings

    private static ByteBuffer single(DataType type, ByteBuffer encoded) {
        int at = encoded.position();
        if (type.equals(DataTypes.DECIMAL)) {
            return decimal(
                    encoded.getInt(at),
                    new BigInteger(bytes(encoded.slice(at + Integer.BYTES, encoded.remaining() - Integer.BYTES))));
        }
        if (type.equals(DataTypes.VARINT)) {
            return ByteBuffer.wrap(new BigInteger(bytes(encoded)).toByteArray());
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

    /** Those of one length, as numbers that are searched for have; decimals in a vector are compared by their bytes. */
    private static ByteBuffer numbers(VectorType vector, ByteBuffer encoded) {
        DataType type = vector.getElementType();
        int length = encoded.remaining() / vector.getDimensions();
        if (!Set.of(DataTypes.FLOAT, DataTypes.DOUBLE, DataTypes.BOOLEAN).contains(type)) {
            return encoded;
        }
        ByteBuffer all = ByteBuffer.allocate(encoded.remaining());
        for (int i = 0; i < vector.getDimensions(); i++) {
            all.put(single(type, encoded.slice(encoded.position() + i * length, length))
                    .duplicate());
        }
        return all.flip();
    }

    private static ByteBuffer decimal(int scale, BigInteger unscaled) {
        BigDecimal shortest = new BigDecimal(unscaled, scale).stripTrailingZeros();
        byte[] digits = shortest.unscaledValue().toByteArray();
        return ByteBuffer.allocate(Integer.BYTES + digits.length)
                .putInt(shortest.scale())
                .put(digits)
                .flip();
    }

    private static byte[] bytes(@Nullable ByteBuffer encoded) {
        if (encoded == null) {
            return new byte[0];
        }
        byte[] bytes = new byte[encoded.remaining()];
        encoded.duplicate().get(bytes);
        return bytes;
    }

    // ---- what is made of parts

    /**
     * @param sorted whether the order that elements come in means nothing: the server sorts them
     */
    private ByteBuffer elements(List<DataType> types, ByteBuffer encoded, boolean sorted) {
        List<@Nullable ByteBuffer> parts = Elements.parts(encoded, true);
        List<List<@Nullable ByteBuffer>> elements = new ArrayList<>();
        Set<@Nullable ByteBuffer> met = new HashSet<>();
        for (int i = 0; i < parts.size(); i += types.size()) {
            if (sorted && !met.add(BY_MEANING.part(types.get(0), parts.get(i)))) {
                continue; // the server keeps the first of several
            }
            List<@Nullable ByteBuffer> element = new ArrayList<>();
            for (int j = 0; j < types.size(); j++) {
                element.add(part(types.get(j), parts.get(i + j)));
            }
            elements.add(element);
        }
        if (sorted) {
            elements.sort(BY_BYTES);
        }
        return Elements.together(elements.stream().flatMap(List::stream).toList(), elements.size());
    }

    /** A field that was added since is null where it is missing. */
    private ByteBuffer fields(List<DataType> types, ByteBuffer encoded) {
        List<@Nullable ByteBuffer> parts = Elements.parts(encoded, false);
        List<@Nullable ByteBuffer> fields = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            fields.add(i < types.size() ? part(types.get(i), parts.get(i)) : parts.get(i));
        }
        while (byMeaning && fields.size() > 1 && fields.get(fields.size() - 1) == null) {
            fields.remove(fields.size() - 1);
        }
        return Elements.together(fields, -1);
    }

    private @Nullable ByteBuffer part(DataType type, @Nullable ByteBuffer part) {
        return part == null ? null : of(type, part);
    }
}
