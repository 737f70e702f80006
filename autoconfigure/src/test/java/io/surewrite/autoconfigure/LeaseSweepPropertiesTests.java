package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Rows of leases are swept where that is asked for, and not sooner than is safe. */
class LeaseSweepPropertiesTests {

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withUserConfiguration(Properties.class);

    @Test
    void rowsStayUnlessItIsAskedFor() {
        runner.run(context -> {
            LeaseProperties.Sweep sweep = context.getBean(LeaseProperties.class).sweep();
            assertThat(sweep.enabled()).isFalse();
            assertThat(sweep.every()).isEqualTo(Duration.ofDays(1));
            assertThat(sweep.retention()).isEqualTo(Duration.ofDays(7));
        });
    }

    @ParameterizedTest
    @CsvSource({
        "every=10ms, sweep.every, at least a second",
        "retention=59m, sweep.retention, at least an hour",
        "retention=2h, sweep.retention, a hundred times 125 s"
    })
    void valuesThatAreNotSafeEndTheStart(String value, String property, String reason) {
        runner.withPropertyValues(
                        "surewrite.lease.sweep.enabled=true",
                        "surewrite.lease.ttl=2m",
                        "surewrite.lease.sweep." + value)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("surewrite.lease." + property)
                        .hasMessageContaining(reason));
    }

    @EnableConfigurationProperties(LeaseProperties.class)
    static class Properties {}
}
