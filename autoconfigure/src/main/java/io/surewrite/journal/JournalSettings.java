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

    /** The longest value, in characters: with the widest partition, 32 MB. */
    static final int LONGEST_VALUE = 64 * 1024;

    /** The most attributes in one call. */
    static final int MOST_ATTRIBUTES = 500;

    /**
     * A month a partition, at QUORUM.
     *
     * @return the settings
     */
    public static JournalSettings defaults() {
        return new JournalSettings(BucketLength.MONTH, ConsistencyLevel.QUORUM);
    }
}
