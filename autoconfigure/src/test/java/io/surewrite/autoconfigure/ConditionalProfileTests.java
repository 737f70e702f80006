package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.NeverRetryPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionalProfileTests {

    /** The profile in the driver's own configuration format. */
    static final String SNIPPET = """
            datastax-java-driver.profiles.%s {
              basic.request {
                timeout = 5 seconds
                consistency = QUORUM
                serial-consistency = SERIAL
                default-idempotence = false
              }
              advanced.retry-policy.class = %s
              advanced.speculative-execution-policy.class = NoSpeculativeExecutionPolicy
            }""".formatted(ConditionalWrites.PROFILE, NeverRetryPolicy.class.getName());

    @Test
    void isContentWithItsOwnSnippet() {
        assertThat(findings("")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            basic.request.timeout = 2 s | basic.request.timeout = PT2S: the driver gives up before the server | 5 s
            basic.request.consistency = LOCAL_ONE | basic.request.consistency = LOCAL_ONE: a quorum read may miss | QUORUM
            basic.request.serial-consistency = ONE, basic.request.consistency = LOCAL_QUORUM | LOCAL_QUORUM: a quorum read may miss | QUORUM
            basic.request.default-idempotence = true | basic.request.default-idempotence = true: the driver may run a write again | false
            advanced.retry-policy.class = DefaultRetryPolicy | advanced.retry-policy.class = DefaultRetryPolicy: the driver may run a write again | io.surewrite.write.NeverRetryPolicy
            """)
    void saysWhatIsWrongWhyAndTheFix(String override, String wrong, String fix) {
        assertThat(findings(override))
                .singleElement()
                .asString()
                .startsWith("Its profile surewrite-conditional has ")
                .contains(wrong)
                .endsWith("Fix: " + fix);
    }

    @Test
    void allowsALocalQuorumWithALocalSerialCondition() {
        assertThat(findings("basic.request { serial-consistency = LOCAL_SERIAL, consistency = LOCAL_QUORUM }"))
                .isEmpty();
    }

    private static List<String> findings(String override) {
        String config = SNIPPET + "\ndatastax-java-driver.profiles.surewrite-conditional { " + override + " }";
        return SessionCheck.findings(
                DriverConfigLoader.fromString(config).getInitialConfig().getProfile(ConditionalWrites.PROFILE));
    }
}
