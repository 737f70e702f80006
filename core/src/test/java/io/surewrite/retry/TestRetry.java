package io.surewrite.retry;

import io.micrometer.observation.ObservationRegistry;
import io.surewrite.retry.ScopedRetryTemplate.RetrySupport;
import io.surewrite.write.Backoff;
import io.surewrite.write.WriteTimestamps;
import java.time.Duration;
import java.util.Random;

/** The retry as most tests want it: with short waits, for twenty seconds. */
public final class TestRetry {

    private TestRetry() {}

    public static ScopedRetryTemplate template(int attempts, WriteTimestamps timestamps) {
        return template(attempts, timestamps, Circuit.NONE, ObservationRegistry.NOOP);
    }

    static ScopedRetryTemplate template(
            int attempts, WriteTimestamps timestamps, Circuit circuit, ObservationRegistry observations) {
        return ScopedRetryTemplate.forIdempotentWrites(
                new RetrySettings(
                        attempts, Duration.ofSeconds(20), new Backoff(Duration.ofMillis(1), Duration.ofMillis(2), 2)),
                new RetrySupport(timestamps, circuit, observations, new Random(1), System::nanoTime, null));
    }
}
