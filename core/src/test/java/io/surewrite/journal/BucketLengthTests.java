package io.surewrite.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.journal.JournalSettings.BucketLength;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BucketLengthTests {

    @ParameterizedTest
    @CsvSource({"1, MONTH", "50000, MONTH", "50001, DAY", "1500000, DAY", "1600000, HOUR"})
    void isChosenSoThatPartitionsStayHalfEmpty(long entriesAMonth, BucketLength length) {
        assertThat(BucketLength.forEstimate(entriesAMonth)).isEqualTo(length);
    }

    @ParameterizedTest
    @CsvSource({
        "MONTH, 2026-11, 2026-11-01T00:00:00Z",
        "DAY, 2026-11-21, 2026-11-21T00:00:00Z",
        "HOUR, 2026-11-21T10, 2026-11-21T10:00:00Z"
    })
    void namesBucketsByTheirStart(BucketLength length, String bucket, Instant start) {
        assertThat(length.bucketOf(Instant.parse("2026-11-21T10:59:59.999Z"))).isEqualTo(bucket);
        assertThat(BucketLength.start(bucket)).isEqualTo(start);
        assertThat(length.bucketOf(start.minusNanos(1))).isLessThan(bucket);
    }
}
