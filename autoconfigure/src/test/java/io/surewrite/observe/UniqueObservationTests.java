package io.surewrite.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.unique.UniqueListener.End;
import io.surewrite.unique.UniqueReport;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.health.contributor.Status;

class UniqueObservationTests {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final InstantSource clock = now::get;
    private final UniqueHealthIndicator health = new UniqueHealthIndicator(clock.withZone(ZoneOffset.UTC));

    @ParameterizedTest
    @EnumSource(names = {"UNKNOWN", "UNAVAILABLE"})
    void isDownUntilThereIsAClearAnswer(End unclear) {
        ended(unclear);
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        ended(End.FAILED);
        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        ended(End.DUPLICATE);
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        ended(unclear);
        now.set(Instant.EPOCH.plusSeconds(61));
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void namesViolatedConstraintsWithoutBeingDown() {
        health.scanned(report(3));
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
        assertThat(health.health().getDetails()).containsEntry("duplicates", Map.of("member.email", 3L));
        health.scanned(report(0));
        assertThat(health.health().getDetails()).isEmpty();
    }

    private void ended(End end) {
        health.ended("insert", end, Duration.ZERO);
    }

    private static UniqueReport report(long duplicates) {
        return new UniqueReport("member.email", UniqueReport.State.VALID, 1, 10, 10, 0, 0, 0, 0, duplicates, List.of());
    }
}
