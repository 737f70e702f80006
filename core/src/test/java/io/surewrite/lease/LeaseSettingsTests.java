package io.surewrite.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaseSettingsTests {

    @Test
    void hasDefaultsThatGoTogether() {
        LeaseSettings settings = LeaseSettings.defaults("me");
        assertThat(settings.holder()).isEqualTo("me");
        assertThat(settings.ttl()).isEqualTo(Duration.ofSeconds(30));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            PT1S   | PT0.5S | at least 2 s
            PT2.5S | PT0.5S | whole seconds
            PT9999H| PT0.5S | at most a year
            PT2S   | PT1S   | must exceed the margin of clocks, PT1S, by more than 1.1 s
            PT30S  | PT-1S  | the margin of clocks must not be negative
            """)
    void refusesTimesThatDoNotGoTogether(Duration ttl, Duration margin, String reason) {
        refused(reason, () -> settings("me", ttl, margin, null, 1, "PT1S", "PT1S", "PT1S"));
    }

    @Test
    void refusesOtherBadValues() {
        Duration ttl = Duration.ofSeconds(30);
        Duration zero = Duration.ZERO;
        refused("holder must not be blank", () -> settings(" ", ttl, zero, null, 1, "PT1S", "PT1S", "PT1S"));
        refused("max-hold must be", () -> settings("me", ttl, zero, zero, 1, "PT1S", "PT1S", "PT1S"));
        refused("hand-over-limit must not", () -> settings("me", ttl, zero, null, -1, "PT1S", "PT1S", "PT1S"));
        refused("hand-over-limit must be", () -> settings("me", ttl, zero, null, 2_000_000, "PT1S", "PT1S", "PT1S"));
        refused("attempt-timeout", () -> settings("me", ttl, zero, null, 1, "PT0S", "PT1S", "PT1S"));
        refused("poll-min must be positive", () -> settings("me", ttl, zero, null, 1, "PT1S", "PT0S", "PT1S"));
        refused("poll-max", () -> settings("me", ttl, zero, null, 1, "PT1S", "PT2S", "PT1S"));
    }

    private static void refused(String reason, Runnable making) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(making::run)
                .withMessageContaining(reason);
    }

    private static LeaseSettings settings(
            String holder,
            Duration ttl,
            Duration margin,
            Duration maxHold,
            int handOvers,
            String attemptTimeout,
            String pollMin,
            String pollMax) {
        return new LeaseSettings(
                holder,
                ttl,
                margin,
                maxHold,
                handOvers,
                Duration.ofSeconds(1),
                Duration.parse(attemptTimeout),
                Duration.parse(pollMin),
                Duration.parse(pollMax));
    }
}
