package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.test.CassandraTest;
import io.surewrite.testsupport.LongLane;
import java.time.Duration;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessResourceFailureException;

/** What {@link AlteredTablesIntegrationTests} show, where nodes hear of a change one after the other. */
@LongLane // It starts a cluster of its own.
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
        AlteredTablesIntegrationTests.createTable(ddl);
        String nodes = cluster.contactPoints().stream()
                .map(node -> node.getAddress().getHostAddress() + ":" + node.getPort())
                .collect(Collectors.joining(","));
        AlteredTablesIntegrationTests.application(protocol)
                .withPropertyValues(
                        "spring.cassandra.contact-points=" + nodes,
                        "spring.cassandra.local-datacenter=" + cluster.localDatacenter(),
                        "spring.cassandra.keyspace-name=altered")
                .run(context -> assertThat(AlteredTablesIntegrationTests.wrongReads(context, ddl))
                        // A replica that has not heard of the change cannot serve a coordinator that has: that is said.
                        .filteredOn(found -> !(found instanceof DataAccessResourceFailureException))
                        .isEmpty());
    }
}
