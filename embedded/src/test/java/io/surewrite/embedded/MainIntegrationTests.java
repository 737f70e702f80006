package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.surewrite.testsupport.LongLane;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** By hand, and on the newest JDK of this machine, which Cassandra itself does not support. */
@LongLane // It starts servers of its own.
class MainIntegrationTests {

    @TempDir
    private Path folder;

    @Test
    void runsOnANewerJdkThanCassandraSupports() throws Exception {
        Optional<Jdk> newer = Servers.newestJdk();
        assumeThat(newer).as("no JDK newer than Cassandra's is installed").isPresent();
        try (ForkedJvm application = ForkedJvm.start(
                newer.orElseThrow().home(), folder.resolve("out"), Main.class, "--keyspace", "by_hand")) {
            application.await("(Apache Cassandra 5\\.0\\.9 starts on JDK .*)", 1);
            String port = application.await("127\\.0\\.0\\.1:(\\d+)", 1).get(0);
            InetSocketAddress address = new InetSocketAddress(Ports.addresses(1).get(0), Integer.parseInt(port));
            try (CqlConnection connection = CqlConnection.open(address)) {
                connection.execute("USE by_hand", CqlConnection.Level.ONE);
            }
            application.interrupt();
            application.awaitExit();
            assertThat(CqlConnection.answers(address)).isFalse();
        }
    }

    @Test
    void executesAStatementOnAServerThatRuns() throws Exception {
        try (EmbeddedCassandra server = EmbeddedCassandra.builder().start()) {
            server.createKeyspace("Shell");
            int port = server.contactPoint().getPort();
            executed(port, "CREATE TABLE person (id int PRIMARY KEY, tags map<text, frozen<set<int>>>)");
            executed(port, "INSERT INTO person (id, tags) VALUES (1, {'a': {1, 2}})");
            assertThat(executed(port, "select * from person")).contains("{\"id\": 1, \"tags\": {\"a\": [1, 2]}}");
            assertThat(executed(port, "INSERT INTO person (id) VALUES (1) IF NOT EXISTS"))
                    .startsWith("false | 0x00000001 | 0x");
            assertThat(executed(port, "SELECT count(*) FROM person")) // the server warns
                    .contains("{\"count\": 1}");
            assertThat(failing("--port", String.valueOf(port), "--execute", "SELECT nonsense"))
                    .contains("The server did not do that: ");
            assertThat(failing("--execute", "SELECT * FROM person")).contains("needs the --port of a server that runs");
        }
    }

    private static String executed(int port, String cql) {
        return ended(0, "--port", String.valueOf(port), "--keyspace", "Shell", "--execute", cql);
    }

    private static String failing(String... args) {
        return ended(1, args);
    }

    private static String ended(int exit, String... args) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(said, true, StandardCharsets.UTF_8);
        assertThat(Main.run(List.of(args), stream, stream)).as("%s", said).isEqualTo(exit);
        return said.toString(StandardCharsets.UTF_8);
    }
}
