package io.surewrite.session;

import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.testsupport.Nightly;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Two sessions on two clusters, in keyspaces of one name: it starts a server of its own. */
@Nightly
class TwoClustersIntegrationTests extends TwoSessionsContract {

    private static EmbeddedCassandra server;

    @BeforeAll
    static void start() {
        server = EmbeddedCassandra.builder().start();
        server.createKeyspace(keyspace.name());
        start(server.contactPoint(), server.localDatacenter(), keyspace.name());
    }

    @AfterAll
    static void stopTheServer() {
        stop();
        server.close();
    }
}
