package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.testsupport.LongLane;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@LongLane // It starts a server of its own.
class NextCassandraIntegrationTests {

    @ParameterizedTest
    @ValueSource(strings = {"4.1.10", "6.0-alpha2"})
    void runsAnotherVersionByOption(String version) throws IOException {
        try (EmbeddedCassandra server =
                EmbeddedCassandra.builder().version(version).start()) {
            assertThat(server.version()).isEqualTo(version);
            server.createKeyspace("next");
            try (CqlConnection connection = CqlConnection.open(server.contactPoint())) {
                connection.execute("CREATE TABLE next.item (id int PRIMARY KEY)", CqlConnection.Level.ONE);
            }
        }
    }
}
