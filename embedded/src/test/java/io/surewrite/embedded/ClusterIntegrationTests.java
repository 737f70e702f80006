package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.embedded.EmbeddedCassandraException.Reason;
import io.surewrite.testsupport.LongLane;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What the fault runs and the tests of two data centres would not notice: they add, replace, kill and pause nodes, and cut links. */
@LongLane // It starts three servers, and waits until they notice what happens to the link.
class ClusterIntegrationTests {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void keepsTheNodesThatItNeedsAndACutLinkThroughARestart() {
        try (EmbeddedCassandra cluster = EmbeddedCassandra.builder()
                .dataCenter("east", 2)
                .dataCenter("west", 1)
                .heapMegabytes(320)
                .start()) {
            cluster.createKeyspace("shop");
            try (CqlSession east = session(cluster, "east");
                    CqlSession west = session(cluster, "west")) {
                east.execute("CREATE TABLE shop.item (id int PRIMARY KEY)");
                write(west, 1, ConsistencyLevel.ALL);
                keepsTheNodesThatItNeeds(cluster);

                cluster.cutLink("east", "west");
                write(east, 2, ConsistencyLevel.LOCAL_QUORUM);
                write(west, 3, ConsistencyLevel.LOCAL_QUORUM);
                assertThatThrownBy(() -> write(east, 4, ConsistencyLevel.EACH_QUORUM))
                        .isInstanceOf(DriverException.class);

                cluster.nodesOf("west").get(0).restart();
                Awaitility.await()
                        .atMost(PATIENCE)
                        .ignoreExceptions()
                        .until(() -> isThere(west, 3, ConsistencyLevel.LOCAL_ONE));
                assertThat(isThere(west, 2, ConsistencyLevel.LOCAL_ONE)).isFalse();
                assertThatThrownBy(() -> write(west, 4, ConsistencyLevel.QUORUM))
                        .isInstanceOf(DriverException.class);

                cluster.restoreLink("east", "west");
                cluster.awaitMembers(PATIENCE);
                assertThat(isThere(west, 2, ConsistencyLevel.ALL)).isTrue();
                assertThat(isThere(east, 3, ConsistencyLevel.ALL)).isTrue();
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

    private static void write(CqlSession session, int id, ConsistencyLevel level) {
        session.execute(statement("INSERT INTO shop.item (id) VALUES (?)", id, level));
    }

    private static boolean isThere(CqlSession session, int id, ConsistencyLevel level) {
        ResultSet found = session.execute(statement("SELECT id FROM shop.item WHERE id = ?", id, level));
        return found.one() != null;
    }

    private static SimpleStatement statement(String cql, int id, ConsistencyLevel level) {
        return SimpleStatement.newInstance(cql, id).setIdempotent(true).setConsistencyLevel(level);
    }

    private static CqlSession session(EmbeddedCassandra cluster, String dataCenter) {
        return CqlSession.builder()
                .addContactPoint(cluster.nodesOf(dataCenter).get(0).address())
                .withLocalDatacenter(dataCenter)
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30))
                        .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(1))
                        .build())
                .build();
    }
}
