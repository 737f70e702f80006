package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

class SchemaPropertiesTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner().withUserConfiguration(Enabled.class);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            keyspace=a.b                           | it must be a CQL identifier
            keyspace=shop; DROP KEYSPACE shop      | it must be a CQL identifier
            keyspace="a"b"                         | it must be a CQL identifier
            table-prefix=Sure_                     | it must be a lower-case letter and up to 23
            table-prefix=1_                        | it must be a lower-case letter and up to 23
            table-prefix=a b                       | it must be a lower-case letter and up to 23
            table-prefix=a23456789_123456789_12345 | it must be a lower-case letter and up to 23
            """)
    void refusesWhatCqlWould(String property, String reason) {
        runner.withPropertyValues("surewrite.schema." + property)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("surewrite.schema." + property.substring(0, property.indexOf('=')))
                        .hasMessageContaining(reason));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(SchemaProperties.class)
    static class Enabled {}
}
