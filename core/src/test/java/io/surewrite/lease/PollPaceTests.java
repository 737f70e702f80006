package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.write.WriteTimestamps;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How long a process waits between two looks, with a jitter that makes three quarters of each pause. */
class PollPaceTests {

    private static final long MILLI = 1_000_000;

    private final ManualTime time = new ManualTime();
    private final LeaseContext parts = new LeaseContext(
            new InMemoryLeaseStore(Runnable::run),
            time,
            new WriteTimestamps(Clock.systemUTC()),
            new DeadlinesAndTokens(ScriptedLeases.SETTINGS),
            ScriptedLeases.SETTINGS,
            UUID::randomUUID,
            () -> 0.5,
            new UnheardLeases(),
            Runnable::run);
    private final PollPace pace = new PollPace(parts);

    @Test
    void doublesUpToTheLongestPause() {
        assertThat(pace.shortest()).isEqualTo(7_500_000);
        for (int i = 1; i < 7; i++) {
            assertThat(pace.next(PollPace.NO_HOLDER, Duration.ZERO)).isEqualTo((long) (7.5 * MILLI) << i);
        }
        assertThat(pace.next(PollPace.NO_HOLDER, Duration.ZERO)).isEqualTo(750 * MILLI);
        assertThat(pace.next(4, Duration.ZERO)).isEqualTo(7_500_000);
        assertThat(pace.next(4, Duration.ZERO)).isEqualTo(15 * MILLI);
        assertThat(pace.next(PollPace.NO_HOLDER, Duration.ZERO)).isEqualTo(30 * MILLI);
        pace.acquired(MILLI);
        assertThat(pace.next(PollPace.NO_HOLDER, Duration.ZERO)).isEqualTo(15 * MILLI);
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
        Duration ttl = Duration.ofSeconds(30);
        assertThat(parts.rules().renewEvery(ttl)).isEqualTo(10_000 * MILLI);
        assertThat(rules(500).renewEvery(Duration.ofSeconds(4))).isEqualTo(1_250 * MILLI);
        assertThat(rules(900).isTooShort(Duration.ofSeconds(2))).isFalse();
        assertThat(rules(901).isTooShort(Duration.ofSeconds(2))).isTrue();
    }

    private static DeadlinesAndTokens rules(long marginMillis) {
        return new DeadlinesAndTokens(new LeaseSettings(
                "me",
                Duration.ofSeconds(30),
                Duration.ofMillis(marginMillis),
                null,
                2,
                Duration.ofSeconds(1),
                Duration.ofSeconds(5),
                Duration.ofMillis(10),
                Duration.ofSeconds(1)));
    }
}
