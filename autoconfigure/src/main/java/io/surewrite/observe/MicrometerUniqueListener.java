package io.surewrite.observe;

import io.micrometer.core.instrument.MeterRegistry;
import io.surewrite.unique.UniqueListener;
import java.time.Duration;
import java.util.Locale;

/**
 * Counts what happens to unique values: {@code surewrite.unique.call} (time taken, by operation and outcome),
 * {@code .claim} and {@code .duplicate} (by constraint), {@code .takeover} (by constraint and fence) and {@code .slow} (by
 * operation). Values are no tags.
 */
public final class MicrometerUniqueListener implements UniqueListener {

    private static final String PREFIX = "surewrite.unique.";

    private final MeterRegistry registry;

    /**
     * Creates the listener.
     *
     * @param registry holds the meters
     */
    public MicrometerUniqueListener(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void ended(String operation, End end, Duration took) {
        registry.timer(PREFIX + "call", "operation", operation, "outcome", tag(end))
                .record(took);
    }

    @Override
    public void claimed(String constraint) {
        registry.counter(PREFIX + "claim", "constraint", constraint).increment();
    }

    @Override
    public void duplicate(String constraint) {
        registry.counter(PREFIX + "duplicate", "constraint", constraint).increment();
    }

    @Override
    public void takenOver(String constraint, Fence fence) {
        registry.counter(PREFIX + "takeover", "constraint", constraint, "fence", tag(fence))
                .increment();
    }

    @Override
    public void slow(String operation) {
        registry.counter(PREFIX + "slow", "operation", operation).increment();
    }

    private static String tag(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
