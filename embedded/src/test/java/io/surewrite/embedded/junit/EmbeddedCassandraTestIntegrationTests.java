package io.surewrite.embedded.junit;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.embedded.SharedCassandra;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@EmbeddedCassandraTest
class EmbeddedCassandraTestIntegrationTests {

    @Test
    void givesASessionInTheKeyspaceOfTheClass(CqlSession session, TestKeyspace keyspace) {
        assertThat(session.getKeyspace().map(CqlIdentifier::asInternal)).hasValue(keyspace.name());
        assertThat(keyspace.name()).startsWith("embeddedcassandratestintegrationtests_");
    }

    @Test
    void sharesTheServer(SharedCassandra server, TestKeyspace keyspace) {
        assertThat(keyspace.server().contactPoint()).isEqualTo(server.contactPoint());
    }

    /** A TRUNCATE would write files otherwise. What an application names stays as Cassandra makes it. */
    @Test
    void logsWritesToNamedKeyspacesAlone(CqlSession session, TestKeyspace keyspace) {
        keyspace.server().createKeyspace("named");
        assertThat(durable(session, "named")).isTrue();
        assertThat(durable(session, keyspace.name())).isFalse();
        keyspace.server().dropKeyspace("named");
    }

    private static boolean durable(CqlSession session, String keyspace) {
        return session.execute("SELECT durable_writes FROM system_schema.keyspaces WHERE keyspace_name = ?", keyspace)
                .one()
                .getBoolean(0);
    }

    @Nested
    class InANestedClass {

        @Test
        void hasTheSameKeyspace(TestKeyspace keyspace) {
            assertThat(keyspace.name()).startsWith("embeddedcassandratestintegrationtests_");
        }
    }
}
