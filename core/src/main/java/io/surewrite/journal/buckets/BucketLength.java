package io.surewrite.journal.buckets;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;

/** How much time one partition of an entity covers, in UTC. The names of buckets sort by time. */
public enum BucketLength {
    /** A month, as in {@code 2026-11}. */
    MONTH("uuuu-MM", 7),
    /** A day, as in {@code 2026-11-21}. */
    DAY("uuuu-MM-dd", 10),
    /** An hour, as in {@code 2026-11-21T10}. */
    HOUR("uuuu-MM-dd'T'HH", 13);

    /** Half of what a partition may hold, because no month is like the other. */
    private static final long COMFORTABLE = JournalSettings.WIDEST_PARTITION / 2;

    private static final int DAYS_A_MONTH = 30;

    private final DateTimeFormatter format;
    private final int nameLength;

    BucketLength(String pattern, int nameLength) {
        this.format = DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
        this.nameLength = nameLength;
    }

    /** The longest that keeps partitions comfortably below 100,000 entries. */
    public static BucketLength forEstimate(long entriesAMonth) {
        if (entriesAMonth <= COMFORTABLE) {
            return MONTH;
        }
        return entriesAMonth / DAYS_A_MONTH <= COMFORTABLE ? DAY : HOUR;
    }

    String bucketOf(Instant at) {
        return format.format(at.atZone(ZoneOffset.UTC));
    }

    /** The next shorter length. */
    BucketLength finer() {
        return this == MONTH ? DAY : HOUR;
    }

    /** The name of the shortest bucket: no bucket that has begun by then sorts after it. */
    static String latestAt(Instant at) {
        return HOUR.bucketOf(at);
    }

    /** The length of a bucket by its name. */
    static BucketLength of(String bucket) {
        return Arrays.stream(values())
                .filter(length -> bucket.length() == length.nameLength)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "The journal has the bucket " + bucket + ", which no release has named so"));
    }

    /** The start of a bucket of any length by its name. */
    static Instant start(String bucket) {
        return of(bucket).startOf(bucket);
    }

    /** The start of a bucket by its name. */
    Instant startOf(String bucket) {
        LocalDateTime start = switch (this) {
            case MONTH -> YearMonth.parse(bucket, format).atDay(1).atStartOfDay();
            case DAY -> LocalDate.parse(bucket, format).atStartOfDay();
            case HOUR -> LocalDateTime.parse(bucket + ":00");
        };
        return start.toInstant(ZoneOffset.UTC);
    }
}
