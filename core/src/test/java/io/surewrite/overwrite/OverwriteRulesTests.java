package io.surewrite.overwrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OverwriteRulesTests {

    private final OverwritePlanner rules = new OverwritePlanner(
            null,
            null,
            table -> {},
            OverwriteFixture.SETTINGS,
            Clock.fixed(Instant.ofEpochSecond(100), ZoneOffset.UTC));

    @ParameterizedTest
    @ValueSource(longs = {1, 99_999_999, 101_000_000})
    void takesTimestampsOfThePastAndOfAClockThatIsALittleAhead(long micros) {
        assertThatCode(() -> rules.checkTimestamp(micros)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 101_000_001, Long.MAX_VALUE})
    void refusesAllOtherTimestamps(long micros) {
        assertThatExceptionOfType(OverwriteException.class).isThrownBy(() -> rules.checkTimestamp(micros));
    }

    @ParameterizedTest
    @CsvSource({"PT0S, 0", "PT0.001S, 1", "PT1S, 1", "PT1.5S, 2", "P7300D, 630720000"})
    void roundsTheTimeToLiveUpToWholeSeconds(Duration ttl, int seconds) {
        assertThat(rules.ttlSeconds(OverwriteOptions.none().withTtl(ttl))).isEqualTo(seconds);
    }

    @Test
    void leavesTheTimeToLiveToTheTableByDefault() {
        assertThat(rules.ttlSeconds(OverwriteOptions.none())).isNull();
    }
}
