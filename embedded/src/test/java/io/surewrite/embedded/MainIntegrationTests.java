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
