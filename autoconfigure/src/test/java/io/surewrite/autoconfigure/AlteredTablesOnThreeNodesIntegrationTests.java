package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.SeveralKeyspaces;
import io.surewrite.testsupport.Nightly;
import java.time.Duration;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessResourceFailureException;

/** What {@link AlteredTablesIntegrationTests} show, where nodes hear of a change one after the other. */
@Nightly // It starts a cluster of its own.
@SeveralKeyspaces
class AlteredTablesOnThreeNodesIntegrationTests extends CassandraTest {

    private static EmbeddedCassandra cluster;
    private static CqlSession ddl;

    @BeforeAll
    static void start() {
        cluster = EmbeddedCassandra.builder().nodes(3).start();
        cluster.createKeyspace("altered");
        ddl = CqlSession.builder()
                .addContactPoint(cluster.contactPoint())
                .withLocalDatacenter(cluster.localDatacenter())
                .withKeyspace("altered")
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(30))
                        .build())
                .build();
    }

    @AfterAll
    static void stop() {
        ddl.close();
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"V5", "V4"})
    void everyReadIsRight(String protocol) {
        AlteredTablesIntegrationTests.createTable(AlteredTablesOnThreeNodesIntegrationTests::change);
        String nodes = cluster.contactPoints().stream()
                .map(node -> node.getAddress().getHostAddress() + ":" + node.getPort())
                .collect(Collectors.joining(","));
        AlteredTablesIntegrationTests.application(protocol)
                .withPropertyValues(
                        "spring.cassandra.contact-points=" + nodes,
                        "spring.cassandra.local-datacenter=" + cluster.localDatacenter(),
                        "spring.cassandra.keyspace-name=altered")
                .run(context -> assertThat(AlteredTablesIntegrationTests.wrongReads(
                                context, ddl, AlteredTablesOnThreeNodesIntegrationTests::change))
                        // A replica that has not heard of the change cannot serve a coordinator that has: that is said.
                        .filteredOn(found -> !(found instanceof DataAccessResourceFailureException))
                        .isEmpty());
    }

    /**
     * Comes back when each node has the change. The driver waits for ten seconds, and for no node that it takes for dead;
     * a node that missed the news asks for it a minute later.
     */
    private static void change(String statement) {
        ddl.execute(statement);
        await().atMost(Duration.ofMinutes(2))
                .ignoreExceptions()
                .until(() -> ddl.getMetadata().getNodes().values().stream()
                                .map(AlteredTablesOnThreeNodesIntegrationTests::schemaVersion)
                                .distinct()
                                .count()
                        == 1);
    }

    private static UUID schemaVersion(Node node) {
        return ddl.execute(SimpleStatement.newInstance("SELECT schema_version FROM system.local")
                        .setNode(node))
                .one()
                .getUuid(0);
    }
}
