package io.surewrite.unique;

import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.MapType;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a set, the entries of a map or the fields of a user-defined type, as the protocol encodes them: taken
 * apart and put together without a look at their values, so that nothing is lost that this process cannot decode.
 */
final class Elements {

    private Elements() {}

    /** {@return for each number of seconds that cells have left to live, 0 for ever, a value with these cells alone} */
    static Map<Integer, ByteBuffer> byTimeToLive(DataType type, ByteBuffer value, ByteBuffer timesToLive) {
        boolean fields = type instanceof UserDefinedType;
        int partsOfACell = type instanceof MapType ? 2 : 1;
        List<@Nullable ByteBuffer> parts = parts(value, !fields);
        List<@Nullable ByteBuffer> seconds = parts(timesToLive, true);
        if (parts.size() != seconds.size() * partsOfACell) {
            throw new IllegalStateException(
                    "%d cells of type %s came with %d times to live".formatted(parts.size(), type, seconds.size()));
        }
        Map<Integer, List<@Nullable ByteBuffer>> cells = new TreeMap<>();
        for (int i = 0; i < parts.size(); i++) {
            ByteBuffer part = parts.get(i);
            if (part == null) {
                continue; // a field without a value
            }
            ByteBuffer ttl = seconds.get(i / partsOfACell);
            List<@Nullable ByteBuffer> same =
                    cells.computeIfAbsent(ttl == null ? 0 : ttl.getInt(ttl.position()), first -> new ArrayList<>());
            while (fields && same.size() < i) {
                same.add(null);
            }
            same.add(part);
        }
        Map<Integer, ByteBuffer> values = new TreeMap<>();
        cells.forEach((ttl, same) -> values.put(ttl, together(same, fields ? -1 : same.size() / partsOfACell)));
        return values;
    }

    static List<@Nullable ByteBuffer> parts(ByteBuffer encoded, boolean counted) {
        ByteBuffer rest = encoded.duplicate();
        if (counted) {
            rest.getInt();
        }
        List<@Nullable ByteBuffer> parts = new ArrayList<>();
        while (rest.hasRemaining()) {
            int length = rest.getInt();
            if (length < 0) {
                parts.add(null);
            } else {
                parts.add(rest.slice(rest.position(), length));
                rest.position(rest.position() + length);
            }
        }
        return parts;
    }

    private static ByteBuffer together(List<@Nullable ByteBuffer> parts, int count) {
        int length = count < 0 ? 0 : Integer.BYTES;
        for (ByteBuffer part : parts) {
            length += Integer.BYTES + (part == null ? 0 : part.remaining());
        }
        ByteBuffer encoded = ByteBuffer.allocate(length);
        if (count >= 0) {
            encoded.putInt(count);
        }
        for (ByteBuffer part : parts) {
            if (part == null) {
                encoded.putInt(-1);
            } else {
                encoded.putInt(part.remaining()).put(part.duplicate());
            }
        }
        return encoded.flip();
    }
}
