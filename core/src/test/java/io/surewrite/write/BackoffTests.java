package io.surewrite.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.LongSummaryStatistics;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTests {

    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1), 2);

    @ParameterizedTest
    @CsvSource({"1, 100", "2, 200", "3, 400", "5, 1000", "5000, 1000"})
    void drawsFromAllOfABoundThatGrows(int failures, long boundMillis) {
        Random random = new Random(7);
        LongSummaryStatistics waits = LongStream.range(0, 2000)
                .map(i -> BACKOFF.afterFailures(failures, random).toMillis())
                .summaryStatistics();
        assertThat(waits.getMax()).isBetween(boundMillis * 98 / 100, boundMillis);
        assertThat(waits.getMin()).isBetween(0L, boundMillis / 50);
        assertThat(waits.getAverage()).isBetween(boundMillis * 0.46, boundMillis * 0.54);
    }
}
