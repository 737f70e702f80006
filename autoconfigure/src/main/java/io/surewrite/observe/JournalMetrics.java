package io.surewrite.observe;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.surewrite.journal.JournalListener;

/** Measures how many entries a partition of the journal had when the next one began: {@code surewrite.journal.partition}. */
public final class JournalMetrics implements JournalListener {

    private final DistributionSummary partition;

    /**
     * Creates the metrics.
     *
     * @param registry holds the meters
     */
    public JournalMetrics(MeterRegistry registry) {
        this.partition = DistributionSummary.builder("surewrite.journal.partition")
                .description(
                        "Entries of a journal partition when the next one began; 100,000 are the most that is wise")
                .baseUnit("entries")
                .register(registry);
    }

    @Override
    public void bucketClosed(long entries) {
        partition.record((double) entries);
    }
}
