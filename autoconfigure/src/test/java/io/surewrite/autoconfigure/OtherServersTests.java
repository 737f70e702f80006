package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.StubCassandra;
import io.surewrite.cql.server.ServerKind;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What the log says at the start where the server is none of Apache Cassandra; a stub says what such servers say of themselves. */
@ExtendWith(OutputCaptureExtension.class)
class OtherServersTests {

    @Test
    void eachIsNamedWithAllThatIsKnownNotToHold(CapturedOutput output) {
        for (ServerKind kind : ServerKind.values()) {
            check(
                    kind == ServerKind.KEYSPACES ? "Amazon Keyspaces" : "cluster",
                    switch (kind) {
                        case SCYLLA -> Map.of("SCYLLA_SHARD", List.of("3"));
                        case KEYSPACES -> Map.of("CQL_VERSION", List.of("3.4.4"));
                        case ASTRA -> Map.of("PRODUCT_TYPE", List.of("DATASTAX_APOLLO"));
                    });
            assertThat(output)
                    .contains("is %s, on which Surewrite was never run".formatted(kind))
                    .contains(kind.unsure());
        }
    }

    @Test
    void nothingIsSaidOfCassandra(CapturedOutput output) {
        check("cluster", Map.of("CQL_VERSION", List.of("3.4.7")));
        assertThat(output).doesNotContain("was never run");
    }

    private static void check(String clusterName, Map<String, List<String>> options) {
        try (StubCassandra server = StubCassandra.of(clusterName, options);
                CqlSession session = server.plainSession(UnaryOperator.identity())) {
            new SessionCheck().postProcessAfterInitialization(session, "cassandraSession");
        }
    }
}
