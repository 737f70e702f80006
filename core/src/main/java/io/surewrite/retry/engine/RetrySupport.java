package io.surewrite.retry.engine;

import io.surewrite.cql.WriteListener;
import io.surewrite.cql.WriteTimestamps;
import io.surewrite.cql.session.SureLevel;
import io.surewrite.retry.Circuit;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What all retry templates of a session share.
 *
 * @param timestamps the session's write timestamps
 * @param circuit the circuit breaker around each attempt
 * @param listener hears of every write
 * @param random draws the waits; safe for use by many threads
 * @param nanoTime monotonic time in nanoseconds, which also passes while the machine sleeps
 * @param level the session's level of sure writes, or null to leave levels to the driver
 */
public record RetrySupport(
        WriteTimestamps timestamps,
        Circuit circuit,
        WriteListener listener,
        RandomGenerator random,
        LongSupplier nanoTime,
        @Nullable SureLevel level) {

    /** Makes the listener harmless. */
    public RetrySupport {
        listener = WriteListener.all(List.of(listener));
    }

    /** The same for another session. */
    RetrySupport with(WriteTimestamps others, Circuit its) {
        return new RetrySupport(others, its, listener, random, nanoTime, level);
    }

    /** The same for writes to one table. */
    RetrySupport about(String table) {
        return new RetrySupport(timestamps, circuit, listener.about(table), random, nanoTime, level);
    }
}
