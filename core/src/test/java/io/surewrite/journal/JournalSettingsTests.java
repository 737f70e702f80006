package io.surewrite.journal;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.surewrite.journal.JournalSettings.BucketLength;
import io.surewrite.write.InvalidConfigurationException;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

class JournalSettingsTests {

    @ParameterizedTest
    @EnumSource(
            names = {"QUORUM", "LOCAL_QUORUM", "EACH_QUORUM", "ALL"},
            mode = Mode.EXCLUDE)
    void refusesLevelsAtWhichReadsMissWrites(DefaultConsistencyLevel level) {
        assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(() -> new JournalSettings(BucketLength.MONTH, level, Duration.ZERO))
                .withMessageContaining("surewrite.journal.consistency is " + level)
                .withMessageContaining("local_quorum");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-1S", "PT0.5S", "PT59S", "P7301D"})
    void refusesTimesToLiveThatCassandraOrClocksDoNotAllow(Duration timeToLive) {
        assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(() -> new JournalSettings(BucketLength.DAY, DefaultConsistencyLevel.QUORUM, timeToLive))
                .withMessageContaining("surewrite.journal.time-to-live is " + timeToLive);
    }
}
