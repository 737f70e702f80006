package io.surewrite.autoconfigure;

import static com.datastax.oss.simulacron.common.stubbing.PrimeDsl.rows;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.StubCassandra;
import io.surewrite.internal.compat.TransactionalTables;
import io.surewrite.write.WriteScope;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What the start does where the server is none of Apache Cassandra 5; a stub says what such servers say of themselves. */
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

    /** Later it may be a thread of the driver, which must not wait: the write would be refused. */
    @Test
    void theStartWaitsForTheTablesOfCassandra6() {
        try (StubCassandra six = new StubCassandra("6.0.0")) {
            six.prime(StubCassandra.when(TransactionalTables.SCHEMA)
                    .then(rows().row(StubCassandra.described(
                                    CqlIdentifier.fromCql("shop"), CqlIdentifier.fromCql("item"), "off"))
                            .columnTypes(StubCassandra.describedColumns()))
                    .delay(300, TimeUnit.MILLISECONDS));
            try (CqlSession session = six.plainSession(UnaryOperator.identity())) {
                new SessionCheck().postProcessAfterInitialization(session, "cassandraSession");
                SimpleStatement write = SimpleStatement.newInstance("INSERT INTO shop.item (k) VALUES (1)");
                assertThat(WriteScope.at(7).applyTo(write, session.getContext()).getQueryTimestamp())
                        .isEqualTo(7);
            }
        }
    }

    private static void check(String clusterName, Map<String, List<String>> options) {
        try (StubCassandra server = StubCassandra.of(clusterName, options);
                CqlSession session = server.plainSession(UnaryOperator.identity())) {
            new SessionCheck().postProcessAfterInitialization(session, "cassandraSession");
        }
    }
}
