package io.surewrite.overwrite;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What the statements of one overwrite bind.
 *
 * @param values the row, or the partition key alone
 * @param timestamp of what is written; what is deleted takes the tick before
 * @param ttl in seconds, or null for the table's default
 */
record RowWrite(RowValues values, long timestamp, @Nullable Integer ttl) {

    ByteBuffer writeTime() {
        return bigint(timestamp);
    }

    ByteBuffer deletionTime() {
        return bigint(timestamp - 1);
    }

    /** Whether it has a time to live of its own; zero stands for none. */
    boolean ends() {
        return ttl != null && ttl > 0;
    }

    @Nullable
    ByteBuffer timeToLive() {
        return ttl == null ? null : ByteBuffer.allocate(Integer.BYTES).putInt(0, ttl);
    }

    private static ByteBuffer bigint(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(0, value);
    }
}
