package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class JournalPropertiesTests {

    @ParameterizedTest
    @ValueSource(longs = {0, -1})
    void refusesAnEstimateOfNothing(long entries) {
        Binder binder =
                new Binder(new MapConfigurationPropertySource(Map.of("surewrite.journal.entries-a-month", entries)));
        assertThatThrownBy(() -> binder.bind("surewrite.journal", JournalProperties.class))
                .rootCause()
                .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                .hasMessageContainingAll("surewrite.journal.entries-a-month", "must be at least 1");
    }
}
