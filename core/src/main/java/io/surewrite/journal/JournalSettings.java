package io.surewrite.journal;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.Internal;
import io.surewrite.write.InvalidConfigurationException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Set;
import org.springframework.data.cassandra.core.cql.CqlOperations;

/**
 * How a journal is kept. All processes that use its tables keep it alike: the tables remember these settings. Any two reads and
 * writes must meet, so that nothing recorded late is missed when a new bucket begins.
 *
 * @param timeToLive how long an entry is kept, from its instant on; zero is for ever
 */
@Internal
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

    /** A journal by these settings, if all who use its tables have the same: a row of the second table remembers them. */
    public AttributeJournal journal(
            CqlSession session, CqlOperations operations, ConditionalWrites writes, String journal, String state) {
        Clock clock = Clock.systemUTC();
        JournalStore store = new JournalStore(session, operations, writes, journal, state, this, clock);
        CassandraAttributeJournal.requireOneSetting(store, session, state, this);
        return new CassandraAttributeJournal(store, this, WIDEST_PARTITION, clock);
    }

    private static InvalidConfigurationException refused(String problem, String fix) {
        return new InvalidConfigurationException(PREFIX, PREFIX + "." + problem, fix, "journal");
    }

    /** How much time one partition of an entity covers, in UTC. The names of buckets sort by time. */
    public enum BucketLength {
        MONTH("uuuu-MM"),
        DAY("uuuu-MM-dd"),
        HOUR("uuuu-MM-dd'T'HH");

        /** Half of what a partition may hold, because no month is like the other. */
        private static final long COMFORTABLE = JournalSettings.WIDEST_PARTITION / 2;

        private static final int DAYS_A_MONTH = 30;

        private final DateTimeFormatter format;

        BucketLength(String pattern) {
            this.format = DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
        }

        /** The longest that keeps partitions comfortably below 100,000 entries. */
        public static BucketLength forEstimate(long entriesAMonth) {
            if (entriesAMonth <= COMFORTABLE) {
                return MONTH;
            }
            return entriesAMonth / DAYS_A_MONTH <= COMFORTABLE ? DAY : HOUR;
        }

        String bucketOf(Instant at) {
            return format.format(at);
        }

        BucketLength finer() {
            return this == MONTH ? DAY : HOUR;
        }

        /** The name of the shortest bucket: no bucket that has begun by then sorts after it. */
        static String latestAt(Instant at) {
            return HOUR.bucketOf(at);
        }

        /** By the name of a bucket, whatever its length. */
        static Instant start(String bucket) {
            String firstOfAll = "0000-01-01T00:00:00Z";
            return Instant.parse(bucket + firstOfAll.substring(bucket.length()));
        }
    }
}
