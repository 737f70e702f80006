package io.surewrite.internal.clock;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.internal.clock.ClockGuard.ClockReport.ClockOffset;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClockOffsetTests {

    private static final long SECOND = 1_000_000_000L;

    @Test
    void isBeyondAMarginOnlyIfTheWholeIntervalIs() {
        Duration margin = Duration.ofSeconds(2);
        assertThat(new ClockOffset(2 * SECOND, 3 * SECOND).isBeyond(margin)).isFalse();
        assertThat(new ClockOffset(2 * SECOND + 1, 3 * SECOND).isBeyond(margin)).isTrue();
        assertThat(new ClockOffset(-3 * SECOND, -2 * SECOND).isBeyond(margin)).isFalse();
        assertThat(new ClockOffset(-3 * SECOND, -2 * SECOND - 1).isBeyond(margin))
                .isTrue();
        assertThat(ClockOffset.UNKNOWN.isBeyond(margin)).isFalse();
    }
}
