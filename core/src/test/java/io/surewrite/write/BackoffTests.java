package io.surewrite.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.LongSummaryStatistics;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
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

    @Test
    void mayNotWaitAtAll() {
        Backoff none = new Backoff(Duration.ZERO, Duration.ZERO, 1);
        assertThat(none.afterFailures(3, new Random(1))).isZero();
    }

    @Test
    void refusesWhatCannotBeMeant() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Backoff(Duration.ofMillis(-1), Duration.ZERO, 2))
                .withMessageContaining("initial back-off");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Backoff(Duration.ofMillis(2), Duration.ofMillis(1), 2))
                .withMessageContaining("maximum back-off");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Backoff(Duration.ZERO, Duration.ZERO, 0.5))
                .withMessageContaining("multiplier");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Backoff(Duration.ZERO, Duration.ZERO, Double.NaN))
                .withMessageContaining("multiplier");
    }
}
