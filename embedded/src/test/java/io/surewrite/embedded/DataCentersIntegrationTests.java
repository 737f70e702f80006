package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.surewrite.testsupport.Nightly;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@Nightly // It starts three nodes, and waits until they notice what happens to the link.
class DataCentersIntegrationTests {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static EmbeddedCassandra cluster;
    private static CqlSession east;
    private static CqlSession west;

    @BeforeAll
    static void start() {
        cluster = EmbeddedCassandra.builder()
                .dataCenter("east", 2)
                .dataCenter("west", 1)
                .heapMegabytes(320)
                .start();
        cluster.createKeyspace("shop");
        east = session("east");
        west = session("west");
        east.execute("CREATE TABLE shop.item (id int PRIMARY KEY, name text)");
    }

    @AfterEach
    void restore() {
        cluster.restoreLink("east", "west");
        cluster.awaitMembers(PATIENCE);
    }

    @AfterAll
    static void stop() {
        west.close();
        east.close();
        cluster.close();
    }

    @Test
    void putsItsNodesIntoDataCenters() {
        assertThat(cluster.localDatacenter()).isEqualTo("east");
        assertThat(cluster.nodes()).extracting(CassandraNode::dataCenter).containsExactly("east", "east", "west");
        assertThat(west.getMetadata().getNodes().values())
                .extracting(Node::getDatacenter)
                .containsExactlyInAnyOrder("east", "east", "west");
        assertThat(west.getMetadata().getKeyspace("shop").orElseThrow().getReplication())
                .containsEntry("east", "2")
                .containsEntry("west", "1");
    }

    @Test
    void cutsTheLinkAlsoForANodeThatStartsAgain() {
        write(west, 1, ConsistencyLevel.ALL);
        cluster.cutLink("east", "west");

        write(east, 2, ConsistencyLevel.LOCAL_QUORUM);
        write(west, 3, ConsistencyLevel.LOCAL_QUORUM);
        assertThatThrownBy(() -> write(west, 4, ConsistencyLevel.QUORUM)).isInstanceOf(DriverException.class);
        assertThatThrownBy(() -> write(east, 4, ConsistencyLevel.EACH_QUORUM)).isInstanceOf(DriverException.class);
        assertThat(read(west, 2, ConsistencyLevel.LOCAL_ONE).one()).isNull();

        cluster.nodesOf("west").get(0).restart();
        Awaitility.await()
                .atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> read(west, 3, ConsistencyLevel.LOCAL_ONE).one() != null);
        assertThatThrownBy(() -> write(west, 4, ConsistencyLevel.QUORUM)).isInstanceOf(DriverException.class);

        cluster.restoreLink("east", "west");
        cluster.awaitMembers(PATIENCE);
        assertThat(read(west, 2, ConsistencyLevel.ALL).one()).isNotNull();
        assertThat(read(east, 3, ConsistencyLevel.ALL).one()).isNotNull();
    }

    @Test
    void slowsTheLink() {
        Duration delay = Duration.ofMillis(300);
        cluster.slowLink("east", "west", delay);
        long start = System.nanoTime();
        write(east, 5, ConsistencyLevel.EACH_QUORUM);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(delay.multipliedBy(2));
    }

    private static void write(CqlSession session, int id, ConsistencyLevel level) {
        session.execute(SimpleStatement.newInstance("INSERT INTO shop.item (id, name) VALUES (?, ?)", id, "item " + id)
                .setIdempotent(true)
                .setConsistencyLevel(level));
    }

    private static ResultSet read(CqlSession session, int id, ConsistencyLevel level) {
        return session.execute(SimpleStatement.newInstance("SELECT name FROM shop.item WHERE id = ?", id)
                .setIdempotent(true)
                .setConsistencyLevel(level));
    }

    private static CqlSession session(String dataCenter) {
        return CqlSession.builder()
                .addContactPoints(cluster.nodesOf(dataCenter).stream()
                        .map(CassandraNode::address)
                        .toList())
                .withLocalDatacenter(dataCenter)
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30))
                        .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(1))
                        .build())
                .build();
    }
}
