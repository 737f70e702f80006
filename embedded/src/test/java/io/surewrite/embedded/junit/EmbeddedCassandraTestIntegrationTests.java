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

    @Nested
    class InANestedClass {

        @Test
        void hasTheSameKeyspace(TestKeyspace keyspace) {
            assertThat(keyspace.name()).startsWith("embeddedcassandratestintegrationtests_");
        }
    }
}
