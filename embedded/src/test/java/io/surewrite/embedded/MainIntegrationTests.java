package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** By hand, and on the newest JDK of this machine, which Cassandra itself does not support. */
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
            assertThat(failing("--port", String.valueOf(port), "--execute", "SELECT nonsense"))
                    .contains("The server did not do that: ");
            assertThat(failing("--execute", "SELECT * FROM person")).contains("needs the --port of a server that runs");
        }
    }

    private String executed(int port, String cql) throws Exception {
        try (ForkedJvm main = ForkedJvm.start(
                ForkedJvm.thisJavaHome(),
                folder.resolve("executed"),
                Main.class,
                "--port",
                String.valueOf(port),
                "--keyspace",
                "Shell",
                "--execute",
                cql)) {
            assertThat(main.awaitExit()).as("%s", main.output()).isZero();
            return main.output();
        }
    }

    @Test
    void saysWhatIsWrongWithAnOptionAndExitsWithOne() throws Exception {
        assertThat(failing("--ports", "1"))
                .contains("There is no option --ports")
                .contains("--directory D");
        assertThat(failing("--nodes", "many")).contains("--nodes needs a number, not many");
        assertThat(failing("--port")).contains("--port needs a value");
    }

    private String failing(String... args) throws Exception {
        try (ForkedJvm main = ForkedJvm.start(ForkedJvm.thisJavaHome(), folder.resolve("err"), Main.class, args)) {
            assertThat(main.awaitExit()).isEqualTo(1);
            return main.output();
        }
    }
}
