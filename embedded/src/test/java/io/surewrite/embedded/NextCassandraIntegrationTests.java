package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class NextCassandraIntegrationTests {

    @Test
    void runsAnotherVersionByOption() throws IOException {
        try (EmbeddedCassandra server =
                EmbeddedCassandra.builder().version("6.0-alpha2").start()) {
            assertThat(server.version()).isEqualTo("6.0-alpha2");
            server.createKeyspace("next");
            try (CqlConnection connection = CqlConnection.open(server.contactPoint())) {
                connection.execute("CREATE TABLE next.item (id int PRIMARY KEY)", CqlConnection.Level.ONE);
            }
        }
    }
}
