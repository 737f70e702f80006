package io.surewrite.rows;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A row and when it is written: what the statements of one write bind.
 *
 * @param values the row, or a key alone
 * @param timestamp of what is written, in microseconds; what is deleted for it takes the tick before
 * @param ttl in seconds, or null for the table's default
 */
public record TimedRow(
        RowValues values, long timestamp, @Nullable Integer ttl) {

    /**
     * The same row at another time.
     *
     * @param other the timestamp
     * @return the write
     */
    public TimedRow at(long other) {
        return new TimedRow(values, other, ttl);
    }

    /**
     * Whether both leave the same row.
     *
     * @param other another write
     * @return whether they differ in their timestamps alone
     */
    public boolean isSame(TimedRow other) {
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
