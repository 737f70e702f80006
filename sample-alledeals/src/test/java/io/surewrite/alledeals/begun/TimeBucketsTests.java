package io.surewrite.alledeals.begun;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class TimeBucketsTests {

    @Test
    void coverASpanWhole() {
        assertThat(TimeBuckets.between(Instant.parse("2026-11-21T10:19:59Z"), Instant.parse("2026-11-21T10:40:00Z")))
                .containsExactly(
                        Instant.parse("2026-11-21T10:10:00Z"),
                        Instant.parse("2026-11-21T10:20:00Z"),
                        Instant.parse("2026-11-21T10:30:00Z"),
                        Instant.parse("2026-11-21T10:40:00Z"));
    }
}
