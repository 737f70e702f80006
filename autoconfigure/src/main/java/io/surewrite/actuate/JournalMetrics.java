package io.surewrite.actuate;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.surewrite.journal.JournalListener;

/**
 * Measures how many entries a partition of the journal had when the next one began: {@code surewrite.journal.partition}.
 * Counts those that have too many: {@code surewrite.journal.wide}.
 */
public final class JournalMetrics implements JournalListener {

    private final DistributionSummary partition;
    private final Counter wide;

    /**
     * Creates the metrics.
     *
     * @param registry holds the meters
     */
    public JournalMetrics(MeterRegistry registry) {
        this.partition = DistributionSummary.builder("surewrite.journal.partition")
                .description(
                        "Entries of a journal partition when the next one began, counted up to 100,000, the most that is wise")
                .baseUnit("entries")
                .register(registry);
        this.wide = Counter.builder("surewrite.journal.wide")
                .description("Partitions of the journal that had 80,000 entries or more")
                .baseUnit("partitions")
                .register(registry);
    }

    @Override
    public void bucketClosed(long entries) {
        partition.record((double) entries);
    }

    @Override
    public void bucketWide(String entityId, long entries) {
        wide.increment();
    }
}
