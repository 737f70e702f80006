package io.surewrite.journal;

import com.datastax.oss.driver.api.core.ConsistencyLevel;

/**
 * How a journal is kept.
 *
 * @param bucketLength how much time a partition covers; fixed once the journal has entries
 * @param consistency of reads and writes; two quorums must meet, so that nothing recorded late is missed when a new
 *     bucket begins
 */
public record JournalSettings(BucketLength bucketLength, ConsistencyLevel consistency) {

    /** The rule of thumb for a partition: no more entries than this. */
    static final long WIDEST_PARTITION = 100_000;

    /** The largest call, in bytes: it is sent twice in a batch, which Cassandra refuses from 50 KiB on. */
    static final int MOST_BYTES = 24_000;

    /**
     * A month a partition, at QUORUM.
     *
     * @return the settings
     */
    public static JournalSettings defaults() {
        return new JournalSettings(BucketLength.MONTH, ConsistencyLevel.QUORUM);
    }
}
