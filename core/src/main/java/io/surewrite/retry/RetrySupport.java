package io.surewrite.retry;

import io.micrometer.observation.ObservationRegistry;
import io.surewrite.internal.observe.QuietLog;
import io.surewrite.internal.session.SureLevel;
import io.surewrite.write.Internal;
import io.surewrite.write.WriteTimestamps;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What all retry templates of a session share.
 *
 * @param table the name, with its keyspace, of the one table that is written; null if it is not known
 * @param random draws the waits; safe for use by many threads
 * @param nanoTime monotonic time in nanoseconds, which also passes while the machine sleeps
 * @param level the session's level of sure writes, or null to leave levels to the driver
 */
@Internal
public record RetrySupport(
        WriteTimestamps timestamps,
        Circuit circuit,
        ObservationRegistry observations,
        @Nullable String table,
        RandomGenerator random,
        LongSupplier nanoTime,
        @Nullable SureLevel level,
        QuietLog lines) {

    /**
     * For writes to any table.
     *
     * @param random draws the waits; safe for use by many threads
     * @param nanoTime monotonic time in nanoseconds, which also passes while the machine sleeps
     * @param level the session's level of sure writes, or null to leave levels to the driver
     */
    public RetrySupport(
            WriteTimestamps timestamps,
            Circuit circuit,
            ObservationRegistry observations,
            RandomGenerator random,
            LongSupplier nanoTime,
            @Nullable SureLevel level) {
        this(timestamps, circuit, observations, null, random, nanoTime, level, new QuietLog());
    }

    /** The same for another session. */
    RetrySupport with(WriteTimestamps others, Circuit its) {
        return new RetrySupport(others, its, observations, table, random, nanoTime, level, lines);
    }

    /** The same for writes to one table. */
    RetrySupport about(String one) {
        return new RetrySupport(timestamps, circuit, observations, one, random, nanoTime, level, lines);
    }
}
