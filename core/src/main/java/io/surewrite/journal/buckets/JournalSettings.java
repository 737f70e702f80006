package io.surewrite.journal.buckets;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import io.surewrite.cql.InvalidConfigurationException;
import java.time.Duration;
import java.util.Set;

/**
 * How a journal is kept. All processes that use its tables keep it alike: the tables remember these settings.
 *
 * @param bucketLength how much time a partition of an entity covers at first
 * @param consistency of reads and writes; any two must meet, so that nothing recorded late is missed when a new bucket
 *     begins
 * @param timeToLive how long an entry is kept, from its instant on; zero is for ever
 */
public record JournalSettings(BucketLength bucketLength, ConsistencyLevel consistency, Duration timeToLive) {

    /** The rule of thumb for a partition: no more entries than this. */
    static final long WIDEST_PARTITION = 100_000;

    /** The largest call, in bytes: it is sent twice in a batch, which Cassandra refuses from 50 KiB on. */
    static final int MOST_BYTES = 24_000;

    private static final Set<ConsistencyLevel> MEETING = Set.of(
            ConsistencyLevel.QUORUM, ConsistencyLevel.LOCAL_QUORUM, ConsistencyLevel.EACH_QUORUM, ConsistencyLevel.ALL);

    static final String PREFIX = "surewrite.journal";

    private static final Duration SHORTEST = Duration.ofMinutes(1);

    /** Cassandra's limit. */
    private static final Duration LONGEST = Duration.ofDays(20 * 365);

    /**
     * Checks the settings.
     *
     * @param bucketLength how much time a partition covers at first
     * @param consistency of reads and writes
     * @param timeToLive how long an entry is kept
     * @throws InvalidConfigurationException if reads and writes at this level need not meet, or if entries cannot be kept that long
     */
    public JournalSettings {
        if (!MEETING.contains(consistency)) {
            throw refused(
                    "consistency is %s: reads and writes of the journal must meet.".formatted(consistency),
                    "Choose quorum, local_quorum, each_quorum or all.");
        }
        boolean forEver = timeToLive.isZero();
        if (!forEver && (timeToLive.compareTo(SHORTEST) < 0 || timeToLive.compareTo(LONGEST) > 0)) {
            throw refused(
                    "time-to-live is %s.".formatted(timeToLive),
                    "Choose at least %d minute and at most %d days, which is Cassandra's limit; 0 keeps entries for ever."
                            .formatted(SHORTEST.toMinutes(), LONGEST.toDays()));
        }
    }

    private static InvalidConfigurationException refused(String problem, String fix) {
        return new InvalidConfigurationException(PREFIX, PREFIX + "." + problem, fix, "journal");
    }
}
