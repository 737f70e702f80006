package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class PropertiesTests {

    private static final Map<String, Class<?>> TYPES = Map.of(
            "retry", RetryProperties.class,
            "backlog", BacklogProperties.class,
            "journal", JournalProperties.class,
            "schema", SchemaProperties.class);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            retry   | attempts        | 0                         | there must be at least 1
            retry   | deadline        | 0s                        | it must be positive
            retry   | initial-backoff | -1ms                      | it must not be negative
            backlog | max-entries     | 0                         | there must be room for at least 1
            journal | entries-a-month | 0                         | it must be at least 1
            schema  | keyspace        | shop; DROP KEYSPACE shop  | it must be a CQL identifier
            schema  | keyspace        | "a"b"                     | it must be a CQL identifier
            schema  | table-prefix    | Sure_                     | it must be a lower-case letter and up to 23
            schema  | table-prefix    | a23456789_123456789_12345 | it must be a lower-case letter and up to 23
            """)
    void refusesWhatCannotBeMeant(String feature, String name, String value, String reason) {
        String prefix = "surewrite." + feature;
        Binder binder = new Binder(new MapConfigurationPropertySource(Map.of(prefix + "." + name, value)));
        assertThatThrownBy(() -> binder.bindOrCreate(prefix, Objects.requireNonNull(TYPES.get(feature))))
                .rootCause()
                .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                .hasMessageContaining(prefix + "." + name)
                .hasMessageContaining(reason);
    }
}
