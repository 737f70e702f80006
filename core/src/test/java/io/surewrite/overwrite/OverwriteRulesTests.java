package io.surewrite.overwrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OverwriteRulesTests {

    private final OverwritePlanner rules = new OverwritePlanner(null, null, table -> {}, OverwriteFixture.SETTINGS);

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
