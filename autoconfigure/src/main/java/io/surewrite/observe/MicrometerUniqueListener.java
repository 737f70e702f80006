package io.surewrite.observe;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.surewrite.unique.UniqueListener;
import io.surewrite.unique.UniqueReport;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/**
 * Counts what happens to unique values: {@code surewrite.unique.call} (time taken, by operation and outcome),
 * {@code .claim} and {@code .duplicate} (by constraint), {@code .takeover} (by constraint and fence), {@code .slow} (by
 * operation), and {@code .scan.progress}, {@code .scan.rows} and {@code .scan.duplicates} of the last look at a whole table
 * (by constraint). Values are no tags.
 */
public final class MicrometerUniqueListener implements UniqueListener {

    private static final String PREFIX = "surewrite.unique.";

    private final MeterRegistry registry;
    private final Map<String, UniqueReport> scans = new ConcurrentHashMap<>();

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

    @Override
    public void scanned(UniqueReport soFar) {
        if (scans.put(soFar.constraint(), soFar) == null) {
            gauge("scan.progress", soFar.constraint(), UniqueReport::progress);
            gauge("scan.rows", soFar.constraint(), UniqueReport::rows);
            gauge("scan.duplicates", soFar.constraint(), UniqueReport::duplicates);
        }
    }

    private void gauge(String name, String constraint, ToDoubleFunction<UniqueReport> value) {
        Gauge.builder(PREFIX + name, () -> value.applyAsDouble(Objects.requireNonNull(scans.get(constraint))))
                .tag("constraint", constraint)
                .register(registry);
    }

    private static String tag(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
