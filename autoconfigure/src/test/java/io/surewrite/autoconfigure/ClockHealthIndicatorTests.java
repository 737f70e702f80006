package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.internal.clock.ClockGuard.ClockReport;
import io.surewrite.internal.clock.ClockGuard.ClockReport.ClockOffset;
import io.surewrite.internal.clock.ClockGuard.ClockReport.NodeClock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

class ClockHealthIndicatorTests {

    @Test
    void isNeitherGoodNorBadWhileTheClockOfANodeIsUnknown() {
        NodeClock right = new NodeClock("a", new ClockOffset(-1_000_000, 2_000_000));
        NodeClock unknown = new NodeClock("b", ClockOffset.UNKNOWN);
        Map<String, ClockReport> reports = Map.of(
                "first", new ClockReport(List.of(right), Map.of()),
                "second", new ClockReport(List.of(right, unknown), Map.of()));
        assertThat(new ClockHealthIndicator(() -> reports).health().getStatus()).isEqualTo(Status.UNKNOWN);
    }
}
