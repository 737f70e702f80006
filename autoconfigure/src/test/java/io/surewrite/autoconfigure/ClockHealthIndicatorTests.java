package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.internal.clock.ClockGuard.ClockReport;
import io.surewrite.internal.clock.ClockGuard.ClockReport.ClockOffset;
import io.surewrite.internal.clock.ClockGuard.ClockReport.NodeClock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

class ClockHealthIndicatorTests {

    private static final NodeClock RIGHT = new NodeClock("a", new ClockOffset(-1_000_000, 2_000_000));
    private static final NodeClock UNKNOWN = new NodeClock("b", ClockOffset.UNKNOWN);

    private static Health health(Map<String, ClockReport> reports) {
        return new ClockHealthIndicator(() -> reports).health();
    }

    private static ClockReport report(Map<String, String> problems, NodeClock... nodes) {
        return new ClockReport(List.of(nodes), problems);
    }

    @Test
    void isUpWhileAllClocksAreRight() {
        Health health = health(Map.of("first", report(Map.of(), RIGHT)));
        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails()).containsEntry("first", Map.of("a", "-0.001 s to 0.002 s"));
    }

    @Test
    void isNeitherGoodNorBadWhileTheClockOfANodeIsUnknown() {
        assertThat(health(Map.of(
                                "first", report(Map.of(), RIGHT),
                                "second", report(Map.of(), RIGHT, UNKNOWN)))
                        .getStatus())
                .isEqualTo(Status.UNKNOWN);
    }

    @Test
    void isDownWhileAClockOfOneSessionIsWrong() {
        Health health = health(Map.of(
                "first", report(Map.of(), RIGHT),
                "second", report(Map.of("surewrite.clock.margin", "a is ahead"), RIGHT, UNKNOWN)));
        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails().get("problems")).isEqualTo(Map.of("surewrite.clock.margin", "a is ahead"));
    }
}
