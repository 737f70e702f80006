package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.surewrite.testsupport.LongLane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** On the newest JDK of this machine, which no Cassandra supports and which has no security manager. The cells try the features there. */
@LongLane // It starts a server of its own.
class NewerJdkIntegrationTests {

    @Test
    void servesWithoutASecurityManager() throws Exception {
        Jdk jdk = newestJdk();
        try (EmbeddedCassandra server =
                EmbeddedCassandra.builder().javaHome(jdk.home()).start()) {
            server.createKeyspace("newer");
            hasNoUserDefinedFunctions(server);
            saysNothingOfWhatTheJdkWillForbid(server);
            startsFromSharedClasses(server, jdk);
        }
    }

    private static Jdk newestJdk() {
        Optional<Jdk> newest = Servers.newestJdk();
        assumeThat(newest).as("no JDK newer than Cassandra's is installed").isPresent();
        return newest.orElseThrow();
    }

    private static void hasNoUserDefinedFunctions(EmbeddedCassandra server) throws IOException {
        String function =
                "CREATE FUNCTION newer.f (x int) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS 'return x;'";
        try (CqlConnection connection = CqlConnection.open(server.contactPoint())) {
            assertThatExceptionOfType(CqlConnection.RefusedException.class)
                    .isThrownBy(() -> connection.execute(function, CqlConnection.Level.ONE))
                    .withMessageContaining("User-defined functions are disabled");
        }
    }

    /** Each use of memory or native code that the JVM was not told to allow is a warning on its output. */
    private static void saysNothingOfWhatTheJdkWillForbid(EmbeddedCassandra server) throws Exception {
        assertThat(Files.readString(NodeFiles.output(server.directory().resolve("node1"))))
                .doesNotContain("sun.misc.Unsafe", "native access", "will be blocked");
    }

    private static void startsFromSharedClasses(EmbeddedCassandra server, Jdk jdk) throws Exception {
        CassandraNode node = server.node(0);
        node.restart(); // The first start has written the archive, unless one was there.
        assertThat(Files.readString(server.directory().resolve("node1/java.args")))
                .contains("-XX:SharedArchiveFile=");
        Path process = Path.of("/proc", Long.toString(node.pid()));
        assumeThat(process).as("only Linux shows what a process has mapped").exists();
        assertThat(process.resolve("exe").toRealPath()).startsWith(jdk.home());
        assertThat(Files.readString(process.resolve("maps"))).containsPattern("/classes-[0-9a-f]+\\.jsa");
    }
}
