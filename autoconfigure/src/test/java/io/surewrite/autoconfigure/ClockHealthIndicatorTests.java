package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.internal.clock.ClockGuard.ClockReport;
import io.surewrite.internal.clock.ClockGuard.ClockReport.ClockOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

class ClockHealthIndicatorTests {

    @Test
    void isNeitherGoodNorBadWhileTheClockOfANodeIsUnknown() {
        ClockOffset right = new ClockOffset(-1_000_000, 2_000_000);
        Map<String, ClockReport> reports = Map.of(
                "first", new ClockReport(Map.of("a", right), Map.of()),
                "second", new ClockReport(Map.of("a", right, "b", ClockOffset.UNKNOWN), Map.of()));
        assertThat(new ClockHealthIndicator(() -> reports).health().getStatus()).isEqualTo(Status.UNKNOWN);
    }
}
