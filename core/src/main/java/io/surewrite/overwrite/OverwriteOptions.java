package io.surewrite.overwrite;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How an overwrite is written, where it differs from the defaults.
 *
 * @param ttl how long the row lives, in whole seconds (a fraction is rounded up); zero: for ever, whatever the table's
 *     default; null: the table's default
 * @param timestamp the write timestamp in microseconds since the epoch, at least 1 and not in the future; the row
 *     deletion takes the microsecond before it; null: one of the session's own
 * @param consistency the consistency level, or null for the default one
 * @param detectTies whether to read the row back and throw {@link TimestampTieException} if another client wrote it with
 *     the very same timestamp; costs one read
 */
public record OverwriteOptions(
        @Nullable Duration ttl,
        @Nullable Long timestamp,
        @Nullable ConsistencyLevel consistency,
        boolean detectTies) {

    private static final OverwriteOptions NONE = new OverwriteOptions(null, null, null, false);

    /**
     * The defaults.
     *
     * @return options that change nothing
     */
    public static OverwriteOptions none() {
        return NONE;
    }

    /**
     * The same options with another time to live.
     *
     * @param ttl how long the row lives
     * @return the options
     */
    public OverwriteOptions withTtl(Duration ttl) {
        return new OverwriteOptions(ttl, timestamp, consistency, detectTies);
    }

    /**
     * The same options with a timestamp of the caller's.
     *
     * @param micros microseconds since the epoch
     * @return the options
     */
    public OverwriteOptions withTimestamp(long micros) {
        return new OverwriteOptions(ttl, micros, consistency, detectTies);
    }

    /**
     * The same options with another consistency level.
     *
     * @param consistency the level of the write, and of the read that looks for ties
     * @return the options
     */
    public OverwriteOptions withConsistency(ConsistencyLevel consistency) {
        return new OverwriteOptions(ttl, timestamp, consistency, detectTies);
    }

    /**
     * The same options, with a look at the row after the write.
     *
     * @return the options
     */
    public OverwriteOptions detectingTies() {
        return new OverwriteOptions(ttl, timestamp, consistency, true);
    }
}
