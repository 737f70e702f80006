package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.StubCassandra;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a stub server says of itself, as the makers document it; none of these servers is here. */
class ServerKindTests {

    private static final Map<String, List<String>> CASSANDRA =
            Map.of("CQL_VERSION", List.of("3.4.7"), "COMPRESSION", List.of("lz4"));

    @Test
    void knowsOthersByTheirOptions() {
        assertThat(kind("stub", CASSANDRA)).isNull();
        assertThat(kind("stub", Map.of("SCYLLA_NR_SHARDS", List.of("12"), "SCYLLA_SHARD", List.of("3"))))
                .isEqualTo(ServerKind.SCYLLA);
        assertThat(kind("stub", Map.of("PRODUCT_TYPE", List.of("DATASTAX_APOLLO"))))
                .isEqualTo(ServerKind.ASTRA);
    }

    @Test
    void knowsKeyspacesByTheNameOfItsClusters() {
        assertThat(kind("Amazon Keyspaces", CASSANDRA)).isEqualTo(ServerKind.KEYSPACES);
    }

    private static @Nullable ServerKind kind(String clusterName, Map<String, List<String>> options) {
        try (StubCassandra server = StubCassandra.of(clusterName, options);
                CqlSession session = server.plainSession(UnaryOperator.identity())) {
            return ServerKind.of(session);
        }
    }
}
