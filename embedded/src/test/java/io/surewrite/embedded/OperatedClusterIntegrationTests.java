package io.surewrite.embedded;

import static io.surewrite.embedded.EmbeddedCassandraException.Reason.OPERATION_FAILED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import io.surewrite.testsupport.Nightly;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What an operator does to three nodes. Each node is asked by itself what it has: {@code NODE_LOCAL}. */
@Nightly // Nodes come and go, for three minutes.
class OperatedClusterIntegrationTests {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Set<Integer> ALL_IDS =
            IntStream.range(0, 60).boxed().collect(Collectors.toCollection(TreeSet::new));

    /** The driver has no name for it. */
    private static final ConsistencyLevel NODE_LOCAL = new ConsistencyLevel() {
        @Override
        public int getProtocolCode() {
            return 11;
        }

        @Override
        public String name() {
            return "NODE_LOCAL";
        }

        @Override
        public boolean isDcLocal() {
            return true;
        }

        @Override
        public boolean isSerial() {
            return false;
        }
    };

    private static EmbeddedCassandra cluster;

    @BeforeAll
    static void start() {
        cluster = EmbeddedCassandra.builder()
                .nodes(3)
                .heapMegabytes(320)
                .setting("hinted_handoff_enabled", false)
                .jvmArgument("-Dcassandra.enable_nodelocal_queries=true")
                .start();
        cluster.createKeyspace("shop");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void aNodeComesWithItsPartOfTheDataAndAnotherOneLeavesItsOwn() {
        create("grown");
        write("grown", ALL_IDS, ConsistencyLevel.ALL);

        CassandraNode added = cluster.addNode();
        assertThat(cluster.nodes()).hasSize(4).endsWith(added);
        assertThat(idsOf(added, "grown")).isEqualTo(idsThatBelongTo(added)).hasSizeBetween(1, 59);

        CassandraNode first = cluster.node(0);
        Set<Integer> belonging = idsThatBelongTo(first);
        assertThat(idsOf(first, "grown")).isEqualTo(ALL_IDS).isNotEqualTo(belonging);
        first.cleanUp("shop");
        assertThat(idsOf(first, "grown")).isEqualTo(belonging);

        cluster.decommission(first);
        assertThat(first.isAlive()).isFalse();
        assertThat(cluster.nodes()).hasSize(3).doesNotContain(first);
        assertThat(cluster.contactPoint()).isNotEqualTo(first.address());
        for (CassandraNode node : cluster.nodes()) {
            assertThat(idsOf(node, "grown")).isEqualTo(ALL_IDS);
        }

        assertThatExceptionOfType(EmbeddedCassandraException.class)
                .isThrownBy(() -> cluster.decommission(added))
                .withMessageContaining("Not enough live nodes")
                .satisfies(e -> assertThat(e.getReason()).isEqualTo(OPERATION_FAILED));
        assertThatIllegalArgumentException().isThrownBy(() -> cluster.decommission(first));

        added.restart();
        cluster.awaitMembers(PATIENCE);
        write("grown", Set.of(60), ConsistencyLevel.ALL);
    }

    @Test
    void aNodeTakesThePlaceOfADeadOne() {
        create("replaced");
        write("replaced", ALL_IDS, ConsistencyLevel.ALL);
        CassandraNode dead = cluster.node(1);
        assertThatIllegalArgumentException().isThrownBy(() -> cluster.replace(dead));
        dead.kill();
        cluster.awaitMembers(PATIENCE);
        write("replaced", Set.of(60), ConsistencyLevel.QUORUM);
        cluster.node(0).repairWithLiveReplicas("shop");

        CassandraNode replacement = cluster.replace(dead);
        assertThatIllegalStateException().isThrownBy(dead::restart);
        assertThat(cluster.nodes()).hasSize(3).doesNotContain(dead);
        assertThat(cluster.node(1)).isSameAs(replacement);
        assertThat(idsOf(replacement, "replaced")).containsAll(ALL_IDS).contains(60);
        write("replaced", Set.of(61), ConsistencyLevel.ALL);

        replacement.restart();
        cluster.awaitMembers(PATIENCE);
        assertThat(idsOf(replacement, "replaced")).contains(60, 61);
    }

    @Test
    void replicasHaveTheSameAfterARepair() throws IOException {
        create("repaired");
        CassandraNode first = cluster.node(0);
        CassandraNode last = cluster.node(2);
        last.drain();
        assertThat(CqlConnection.answers(last.address())).isFalse();
        last.kill();
        cluster.awaitMembers(PATIENCE);
        write("repaired", ALL_IDS, ConsistencyLevel.QUORUM);
        assertThatExceptionOfType(EmbeddedCassandraException.class)
                .isThrownBy(() -> first.repair("shop"))
                .satisfies(e -> assertThat(e.getReason()).isEqualTo(OPERATION_FAILED));
        first.repairWithLiveReplicas("shop");
        last.restart();
        cluster.awaitMembers(PATIENCE);
        assertThat(idsOf(last, "repaired")).isEmpty();

        first.repairPaxos("shop");
        assertThat(Files.readString(NodeFiles.log(first.spec().directory())))
                .contains("shop.repaired paxos repair completed");
        assertThat(idsOf(last, "repaired")).isEmpty();

        first.repair("shop");
        assertThat(idsOf(last, "repaired")).isEqualTo(ALL_IDS);
    }

    private static void create(String table) {
        try (CqlSession session = session(cluster.contactPoints())) {
            session.execute("CREATE TABLE shop." + table
                    + " (id int PRIMARY KEY) WITH read_repair = 'NONE' AND speculative_retry = 'NEVER'");
        }
    }

    private static void write(String table, Set<Integer> ids, ConsistencyLevel level) {
        try (CqlSession session = session(cluster.nodes().stream()
                .filter(CassandraNode::isRunning)
                .map(CassandraNode::address)
                .toList())) {
            for (int id : ids) {
                session.execute(SimpleStatement.newInstance("INSERT INTO shop." + table + " (id) VALUES (?)", id)
                        .setIdempotent(true)
                        .setConsistencyLevel(level));
            }
        }
    }

    /** What it answers alone. */
    private static Set<Integer> idsOf(CassandraNode node, String table) {
        try (CqlSession session = session(List.of(node.address()))) {
            return session
                    .execute(SimpleStatement.newInstance("SELECT id FROM shop." + table)
                            .setNode(node(session, node))
                            .setConsistencyLevel(NODE_LOCAL))
                    .all()
                    .stream()
                    .map(row -> row.getInt("id"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** By the ring, as this node tells it. */
    private static Set<Integer> idsThatBelongTo(CassandraNode node) {
        try (CqlSession session = session(List.of(node.address()))) {
            TokenMap ring = session.getMetadata().getTokenMap().orElseThrow();
            Node itself = node(session, node);
            return ALL_IDS.stream()
                    .filter(id -> ring.getReplicas(
                                    CqlIdentifier.fromCql("shop"),
                                    TypeCodecs.INT.encodePrimitive(id, ProtocolVersion.DEFAULT))
                            .contains(itself))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static Node node(CqlSession session, CassandraNode node) {
        return session.getMetadata().getNodes().values().stream()
                .filter(each -> each.getEndPoint().resolve().equals(node.address()))
                .findFirst()
                .orElseThrow();
    }

    private static CqlSession session(List<InetSocketAddress> contactPoints) {
        return CqlSession.builder()
                .addContactPoints(contactPoints)
                .withLocalDatacenter(cluster.localDatacenter())
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30))
                        .build())
                .build();
    }
}
