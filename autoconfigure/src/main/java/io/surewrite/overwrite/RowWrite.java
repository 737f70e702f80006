package io.surewrite.overwrite;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the statements of one overwrite bind.
 *
 * @param values the row, or the partition key alone
 * @param timestamp of what is written; what is deleted takes the tick before
 * @param ttl in seconds, or null for the table's default
 * @param ends whether the row has a time to live, of its own or by the table's default
 */
record RowWrite(RowValues values, long timestamp, @Nullable Integer ttl, boolean ends) {

    /** The same row at another time. */
    RowWrite at(long other) {
        return new RowWrite(values, other, ttl, ends);
    }

    /** Whether both leave the same row. */
    boolean isSame(RowWrite other) {
        return Objects.equals(ttl, other.ttl) && values.isSame(other.values);
    }

    ByteBuffer writeTime() {
        return bigint(timestamp);
    }

    ByteBuffer deletionTime() {
        return bigint(timestamp - 1);
    }

    @Nullable
    ByteBuffer timeToLive() {
        return ttl == null ? null : ByteBuffer.allocate(Integer.BYTES).putInt(0, ttl);
    }

    private static ByteBuffer bigint(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(0, value);
    }
}
