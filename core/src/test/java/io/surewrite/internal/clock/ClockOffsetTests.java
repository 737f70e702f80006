package io.surewrite.internal.clock;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.internal.clock.ClockGuard.ClockReport.ClockOffset;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClockOffsetTests {

    private static final long SECOND = 1_000_000_000L;

    @Test
    void isKnownByTheReadingsAroundAnAnswer() {
        // The answer is cut to milliseconds: the clock showed up to one more.
        assertThat(ClockOffset.measured(50_000_000, 20_000_000, 30_000_000))
                .isEqualTo(new ClockOffset(20_000_000, 31_000_000));
    }

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

    @Test
    void isSaidInSeconds() {
        ClockOffset offset = new ClockOffset(3 * SECOND, 5 * SECOND);
        assertThat(offset.seconds()).isEqualTo(4);
        assertThat(offset.uncertaintySeconds()).isEqualTo(1);
        assertThat(offset.leastSeconds()).isEqualTo(3);
        assertThat(new ClockOffset(-5 * SECOND, -3 * SECOND).leastSeconds()).isEqualTo(3);
        assertThat(new ClockOffset(-SECOND, SECOND).leastSeconds()).isZero();
        assertThat(offset).hasToString("3.000 s to 5.000 s");
    }

    @Test
    void isNoNumberIfItIsNotKnown() {
        assertThat(ClockOffset.UNKNOWN.isKnown()).isFalse();
        assertThat(new ClockOffset(ClockOffset.UNKNOWN.low(), 0).isKnown()).isFalse();
        assertThat(new ClockOffset(0, ClockOffset.UNKNOWN.high()).isKnown()).isFalse();
        assertThat(ClockOffset.UNKNOWN.seconds()).isNaN();
        assertThat(ClockOffset.UNKNOWN.uncertaintySeconds()).isNaN();
        assertThat(ClockOffset.UNKNOWN).hasToString("unknown");
    }

    @Test
    void ofTwoClocksFollowsFromAThirdOne() {
        assertThat(new ClockOffset(10, 20).minus(new ClockOffset(1, 4))).isEqualTo(new ClockOffset(6, 19));
        assertThat(new ClockOffset(10, 20).minus(ClockOffset.UNKNOWN)).isEqualTo(ClockOffset.UNKNOWN);
        assertThat(ClockOffset.UNKNOWN.minus(new ClockOffset(10, 20))).isEqualTo(ClockOffset.UNKNOWN);
    }
}
