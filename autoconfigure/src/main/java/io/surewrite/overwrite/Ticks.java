package io.surewrite.overwrite;

import io.surewrite.cql.WriteScope;
import io.surewrite.cql.WriteTimestamps;
import org.jspecify.annotations.Nullable;

/** Gives an overwrite its timestamp {@code n}; {@code n - 1} is reserved with it. */
final class Ticks {

    private final WriteTimestamps timestamps;

    Ticks(WriteTimestamps timestamps) {
        this.timestamps = timestamps;
    }

    /** The caller's choice, or that of the logical write the overwrite is part of, or two fresh ticks. */
    long next(OverwriteOptions options, @Nullable WriteScope scope) {
        if (options.timestamp() != null) {
            return options.timestamp();
        }
        if (scope == null) {
            return timestamps.nextPair();
        }
        scope.requireClock(timestamps);
        return scope.timestamp();
    }
}
