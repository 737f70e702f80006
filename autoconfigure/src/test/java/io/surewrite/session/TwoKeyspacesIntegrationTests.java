package io.surewrite.session;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Two sessions on one cluster, each in a keyspace of its own. */
class TwoKeyspacesIntegrationTests extends TwoSessionsContract {

    private static String other;

    @BeforeAll
    static void start() {
        other = keyspace.server().createFreshKeyspace("TheOtherKeyspace");
        start(keyspace.server().contactPoint(), keyspace.server().localDatacenter(), other);
    }

    @AfterAll
    static void drop() {
        stop();
        keyspace.server().dropKeyspace(other);
    }
}
