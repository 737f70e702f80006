package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.surewrite.embedded.EmbeddedCassandraException.Reason;
import io.surewrite.testsupport.LongLane;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@LongLane // It starts three servers.
class ClusterIntegrationTests {

    @Test
    void answersAtQuorumWithOneOfThreeNodesPausedKilledAndBackAgain() {
        try (EmbeddedCassandra cluster =
                EmbeddedCassandra.builder().nodes(3).heapMegabytes(320).start()) {
            assertThat(cluster.contactPoints())
                    .extracting(address -> address.getAddress().getHostAddress())
                    .containsExactly("127.0.0.1", "127.0.0.2", "127.0.0.3");
            cluster.createKeyspace("shop");
            try (CqlSession session = session(cluster)) {
                session.execute("CREATE TABLE shop.item (id int PRIMARY KEY, name text)");
                write(session, 1, DefaultConsistencyLevel.ALL);

                CassandraNode third = cluster.node(2);
                third.repair("shop");
                third.repairPaxos("shop");
                third.cleanUp("shop");
                keepsTheNodesThatItNeeds(cluster);

                third.pause();
                assertThat(third.isAlive()).isTrue();
                write(session, 2, DefaultConsistencyLevel.QUORUM);
                third.resume();
                cluster.awaitMembers(Duration.ofMinutes(1));

                third.kill();
                assertThat(third.isAlive()).isFalse();
                write(session, 3, DefaultConsistencyLevel.QUORUM);

                third.restart();
                cluster.awaitMembers(Duration.ofMinutes(1));
                for (int id = 1; id <= 3; id++) {
                    assertThat(name(session, id)).isEqualTo("item " + id);
                }
                assertThat(third).hasToString("node at " + third.address() + ", process " + third.pid());
            }
        }
    }

    private static void keepsTheNodesThatItNeeds(EmbeddedCassandra cluster) {
        assertThatExceptionOfType(EmbeddedCassandraException.class)
                .isThrownBy(() -> cluster.decommission(cluster.node(0)))
                .withMessageContaining("Not enough live nodes")
                .satisfies(e -> assertThat(e.getReason()).isEqualTo(Reason.OPERATION_FAILED));
        assertThatIllegalArgumentException().isThrownBy(() -> cluster.replace(cluster.node(0)));
        assertThatIllegalArgumentException().isThrownBy(() -> cluster.addNode("nowhere"));
        assertThat(cluster.nodes()).hasSize(3).allMatch(CassandraNode::isAlive);
    }

    /** Through the first node: a paused one would take the request and keep it. */
    private static void write(CqlSession session, int id, DefaultConsistencyLevel level) {
        Node first = session.getMetadata().getNodes().values().stream()
                .filter(node -> node.getEndPoint().toString().contains("127.0.0.1:"))
                .findFirst()
                .orElseThrow();
        session.execute(SimpleStatement.newInstance("INSERT INTO shop.item (id, name) VALUES (?, ?)", id, "item " + id)
                .setNode(first)
                .setIdempotent(true)
                .setConsistencyLevel(level));
    }

    private static String name(CqlSession session, int id) {
        Row row = session.execute(SimpleStatement.newInstance("SELECT name FROM shop.item WHERE id = ?", id)
                        .setIdempotent(true)
                        .setConsistencyLevel(DefaultConsistencyLevel.ALL))
                .one();
        assertThat(row).isNotNull();
        return row.getString("name");
    }

    private static CqlSession session(EmbeddedCassandra cluster) {
        return CqlSession.builder()
                .addContactPoints(cluster.contactPoints())
                .withLocalDatacenter(cluster.localDatacenter())
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30))
                        .build())
                .build();
    }
}
