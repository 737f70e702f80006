package io.surewrite.retry;

import io.surewrite.cql.WriteListener;
import io.surewrite.cql.WriteTimestamps;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What all retry templates of a session share.
 *
 * @param timestamps the session's write timestamps
 * @param circuit the circuit breaker around each attempt
 * @param listener hears of every write
 * @param random draws the waits; safe for use by many threads
 * @param nanoTime monotonic time in nanoseconds
 */
public record RetrySupport(
        WriteTimestamps timestamps,
        Circuit circuit,
        WriteListener listener,
        RandomGenerator random,
        LongSupplier nanoTime) {

    /** Makes the listener harmless. */
    public RetrySupport {
        listener = WriteListener.all(List.of(listener));
    }
}
