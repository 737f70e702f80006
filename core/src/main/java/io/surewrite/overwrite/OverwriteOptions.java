package io.surewrite.overwrite;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How an overwrite is written, where it differs from the defaults.
 *
 * @param ttl how long the row lives, in whole seconds (a fraction is rounded up); zero: for ever, whatever the table's
 *     default; null: the table's default
 * @param detectTies whether to read the row back and throw {@link TimestampTieException} if another client wrote it with
 *     the very same timestamp; costs one read
 */
public record OverwriteOptions(@Nullable Duration ttl, boolean detectTies) {

    private static final OverwriteOptions NONE = new OverwriteOptions(null, false);

    /** {@return options that change nothing} */
    public static OverwriteOptions none() {
        return NONE;
    }

    /** {@return the same options with another time to live} */
    public OverwriteOptions withTtl(Duration ttl) {
        return new OverwriteOptions(ttl, detectTies);
    }

    /** {@return the same options, with a look at the row after the write} */
    public OverwriteOptions detectingTies() {
        return new OverwriteOptions(ttl, true);
    }
}
