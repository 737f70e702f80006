package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.cql.WriteTimestamps;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How long a process waits between two looks, with a jitter that makes three quarters of each pause. */
class PollPaceTests {

    private static final long MILLI = 1_000_000;

    private final ManualTime time = new ManualTime();
    private final LeaseParts parts = new LeaseParts(
            new InMemoryLeaseStore(Runnable::run),
            time,
            new WriteTimestamps(Clock.systemUTC()),
            new LeaseRules(2, Duration.ofMillis(500)),
            ScriptedLeases.SETTINGS,
            UUID::randomUUID,
            () -> 0.5,
            new LeaseListener() {},
            Runnable::run);
    private final PollPace pace = new PollPace(parts);

    @Test
    void doublesUpToTheLongestPause() {
        assertThat(pace.shortest()).isEqualTo(7_500_000);
        for (int i = 1; i < 7; i++) {
            assertThat(pace.next(PollPace.NOBODY, Duration.ZERO)).isEqualTo((long) (7.5 * MILLI) << i);
        }
        assertThat(pace.next(PollPace.NOBODY, Duration.ZERO)).isEqualTo(750 * MILLI);
        assertThat(pace.next(4, Duration.ZERO)).isEqualTo(7_500_000);
        assertThat(pace.next(4, Duration.ZERO)).isEqualTo(15 * MILLI);
        assertThat(pace.next(PollPace.NOBODY, Duration.ZERO)).isEqualTo(30 * MILLI);
        pace.acquired(MILLI);
        assertThat(pace.next(PollPace.NOBODY, Duration.ZERO)).isEqualTo(15 * MILLI);
    }

    @Test
    void isCourteousForAsLongAsItHeld() {
        assertThat(pace.courtesy(0)).isEqualTo(25 * MILLI);
        assertThat(pace.courtesy(100 * MILLI)).isEqualTo(125 * MILLI);
        pace.acquired(8 * MILLI);
        assertThat(pace.courtesy(100 * MILLI)).isEqualTo(145 * MILLI);
        assertThat(pace.courtesy(5_000 * MILLI)).isEqualTo(1_250 * MILLI);
    }

    @Test
    void renewsAThirdOfTheTtlOrMoreOften() {
        LeaseRules rules = parts.rules();
        Duration ttl = Duration.ofSeconds(30);
        assertThat(rules.renewEvery(null, ttl)).isEqualTo(10_000 * MILLI);
        assertThat(rules.renewEvery(Duration.ofSeconds(1), ttl)).isEqualTo(1_000 * MILLI);
        assertThat(rules.renewEvery(Duration.ofSeconds(14), Duration.ofSeconds(4)))
                .isEqualTo(1_250 * MILLI);
        assertThat(new LeaseRules(2, Duration.ofMillis(900)).isTooShort(Duration.ofSeconds(2)))
                .isFalse();
        assertThat(new LeaseRules(2, Duration.ofMillis(901)).isTooShort(Duration.ofSeconds(2)))
                .isTrue();
    }
}
