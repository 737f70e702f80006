package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.write.UnknownOutcomeException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.diagnostics.FailureAnalysis;

class SurewriteFailureAnalyzerTests {

    @Test
    void saysWhatIsWrongAndWhereWithoutAStackTrace() {
        JournalProperties properties = new Binder(new MapConfigurationPropertySource(
                        Map.of("surewrite.journal.consistency", "local-one", "surewrite.journal.time-to-live", "1h")))
                .bind("surewrite.journal", JournalProperties.class)
                .get();
        InvalidConfigurationException refused =
                catchThrowableOfType(InvalidConfigurationException.class, properties::settings);

        FailureAnalysis analysis =
                new SurewriteFailureAnalyzer().analyze(new BeanCreationException("journal", refused));

        assertThat(analysis.getDescription()).startsWith("surewrite.journal.consistency is LOCAL_ONE");
        assertThat(analysis.getAction())
                .startsWith("Fix: Choose quorum, ")
                .containsPattern("\n\nWhat it means: https://\\S+/docs/journal\\.md ");
    }

    /** What it says of repeating the call is more than that a node was slow. */
    @Test
    void leavesAWriteThatARunnerHasLostToItsOwnMessage() {
        UnknownOutcomeException lost = new UnknownOutcomeException("lost", new DriverTimeoutException("slow"));
        assertThat(new SurewriteFailureAnalyzer().analyze(new IllegalStateException("runner", lost)))
                .isNull();
    }
}
