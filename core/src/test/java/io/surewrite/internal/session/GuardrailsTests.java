package io.surewrite.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.simulacron.common.stubbing.PrimeDsl;
import com.datastax.oss.simulacron.common.stubbing.PrimeDsl.PrimeBuilder;
import com.datastax.oss.simulacron.common.stubbing.PrimeDsl.RowBuilder;
import io.surewrite.StubCassandra;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
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

    private static final String TODAY = asked("authenticator.class_name', 'user_timestamps_enabled', "
            + "'maximum_timestamp_fail_threshold', 'minimum_timestamp_fail_threshold");
    private static final String EARLIER = asked("authenticator");

    private static String asked(String names) {
        return "SELECT name, value FROM system_views.settings WHERE name IN ('" + names + "')";
    }

    private static PrimeBuilder settings(String query, Map<String, String> settings) {
        RowBuilder rows = PrimeDsl.rows();
        settings.forEach((name, value) -> rows.row("name", name, "value", value));
        return StubCassandra.when(query).then(rows.columnTypes("name", "varchar", "value", "varchar"));
    }

    /** A server from 5.0 on warns of it, and the driver logs that. */
    @Test
    void aServerThatKnowsTheNameOfTodayIsNotAskedForTheEarlierOne() {
        for (String authenticator : List.of("AllowAllAuthenticator", "PasswordAuthenticator")) {
            try (StubCassandra server = new StubCassandra(1);
                    CqlSession session = server.plainSession(UnaryOperator.identity())) {
                server.prime(settings(
                        TODAY, Map.of("authenticator.class_name", authenticator, "user_timestamps_enabled", "false")));
                assertThat(Guardrails.againstTimestamps(session, true))
                        .hasSize(authenticator.startsWith("AllowAll") ? 0 : 1);
                assertThat(server.sent(TODAY)).hasSize(1);
                assertThat(server.sent(EARLIER)).isEmpty();
            }
        }
    }

    @Test
    void anEarlierServerIsAskedForTheNameThatItKnows() {
        for (String authenticator : List.of("AllowAllAuthenticator", "PasswordAuthenticator")) {
            try (StubCassandra server = new StubCassandra(1);
                    CqlSession session = server.plainSession(UnaryOperator.identity())) {
                server.prime(settings(TODAY, Map.of("user_timestamps_enabled", "false")));
                server.prime(settings(EARLIER, Map.of("authenticator", authenticator)));
                assertThat(Guardrails.againstTimestamps(session, true))
                        .hasSize(authenticator.startsWith("AllowAll") ? 0 : 1);
                assertThat(server.sent(EARLIER)).hasSize(1);
            }
        }
    }

    @Test
    void nobodyIsAskedForTheAuthenticatorWhereNothingIsInTheWay() {
        try (StubCassandra server = new StubCassandra(1);
                CqlSession session = server.plainSession(UnaryOperator.identity())) {
            server.prime(settings(TODAY, Map.of("user_timestamps_enabled", "true")));
            assertThat(Guardrails.againstTimestamps(session, true)).isEmpty();
            assertThat(server.sent(EARLIER)).isEmpty();
        }
    }
}
