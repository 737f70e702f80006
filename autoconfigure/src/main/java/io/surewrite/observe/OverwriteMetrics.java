package io.surewrite.observe;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.surewrite.overwrite.OverwriteKind;
import io.surewrite.overwrite.OverwriteListener;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Measures overwrites, tagged by table and kind: {@code surewrite.overwrite.size}, whose count is the number of
 * overwrites. Those of the kind {@code nulls} leave a tombstone for every null.
 */
public final class OverwriteMetrics implements OverwriteListener {

    private final MeterRegistry registry;
    private final Map<Key, DistributionSummary> sizes = new ConcurrentHashMap<>();

    private record Key(String table, OverwriteKind kind) {}

    /**
     * Creates the metrics.
     *
     * @param registry holds the meters
     */
    public OverwriteMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void overwritten(String table, OverwriteKind kind, long bytes) {
        sizes.computeIfAbsent(new Key(table, kind), this::size).record((double) bytes);
    }

    private DistributionSummary size(Key key) {
        return DistributionSummary.builder("surewrite.overwrite.size")
                .description("The size of the values of one overwrite")
                .baseUnit("bytes")
                .tag("table", key.table())
                .tag("kind", key.kind().name().toLowerCase(Locale.ROOT))
                .register(registry);
    }
}
