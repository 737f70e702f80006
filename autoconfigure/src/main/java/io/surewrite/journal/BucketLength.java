package io.surewrite.journal;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** How much time one partition of an entity covers, in UTC. The names of buckets sort by time. */
public enum BucketLength {
    /** A month, as in {@code 2026-11}. */
    MONTH("uuuu-MM"),
    /** A day, as in {@code 2026-11-21}. */
    DAY("uuuu-MM-dd"),
    /** An hour, as in {@code 2026-11-21T10}. */
    HOUR("uuuu-MM-dd'T'HH");

    /** Half of what a partition may hold, because no month is like the other. */
    private static final long COMFORTABLE = JournalSettings.WIDEST_PARTITION / 2;

    private static final int DAYS_A_MONTH = 30;

    private final DateTimeFormatter format;

    BucketLength(String pattern) {
        this.format = DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
    }

    /**
     * The longest that keeps partitions comfortably below 100,000 entries.
     *
     * @param entriesAMonth how many values the busiest entity gets in a month
     * @return the length
     */
    public static BucketLength forEstimate(long entriesAMonth) {
        if (entriesAMonth <= COMFORTABLE) {
            return MONTH;
        }
        return entriesAMonth / DAYS_A_MONTH <= COMFORTABLE ? DAY : HOUR;
    }

    String bucketOf(Instant at) {
        return format.format(at.atZone(ZoneOffset.UTC));
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
