package io.surewrite.cql.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** What of a server's settings is in the way. */
class GuardrailsTests {

    @Test
    void nothingIsInTheWayByDefault() {
        assertThat(Guardrails.problems(
                        Map.of(
                                "user_timestamps_enabled",
                                "true",
                                "maximum_timestamp_fail_threshold",
                                "null",
                                "minimum_timestamp_fail_threshold",
                                "null"),
                        true))
                .isEmpty();
        assertThat(Guardrails.problems(Map.of(), true)).as("unknown").isEmpty();
    }

    @Test
    void timestampsMayBeForbidden() {
        assertThat(Guardrails.problems(Map.of("user_timestamps_enabled", "false"), false))
                .singleElement()
                .asString()
                .contains("USING TIMESTAMP", "Fix: set it to true");
    }

    @Test
    void guardrailsBindNobodyOnAServerWithoutUsers() {
        assertThat(Guardrails.problems(
                        Map.of("user_timestamps_enabled", "false", "authenticator", "AllowAllAuthenticator"), true))
                .isEmpty();
        assertThat(Guardrails.problems(
                        Map.of("user_timestamps_enabled", "false", "authenticator", "PasswordAuthenticator"), true))
                .hasSize(1);
    }

    @Test
    void aThresholdBelowTheClocksOffsetRefusesWrites() {
        Map<String, String> narrow = Map.of("maximum_timestamp_fail_threshold", "4999ms");
        Map<String, String> wide = Map.of("maximum_timestamp_fail_threshold", "5000000us");
        assertThat(Guardrails.problems(narrow, false))
                .singleElement()
                .asString()
                .contains("PT4.999S");
        assertThat(Guardrails.problems(wide, false)).isEmpty();
    }

    @Test
    void onlyWhatWritesAtOldTimestampsMindsAThresholdForThose() {
        Map<String, String> past = Map.of("minimum_timestamp_fail_threshold", "1d");
        assertThat(Guardrails.problems(past, false)).isEmpty();
        assertThat(Guardrails.problems(past, true)).singleElement().asString().contains("PT24H");
    }
}
