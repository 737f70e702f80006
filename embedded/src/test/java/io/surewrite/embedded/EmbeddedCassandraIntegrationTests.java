package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.embedded.EmbeddedCassandraException.Reason;
import io.surewrite.testsupport.LongLane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One server that comes, goes and comes again in a named directory. */
class EmbeddedCassandraIntegrationTests {

    @TempDir
    private Path directory;

    @TempDir
    private Path cache;

    @AfterEach
    void useTheUsersCacheAgain() {
        System.clearProperty(UserDirectories.CACHE_PROPERTY);
    }

    @Test
    @LongLane // It starts a server three times.
    void keepsTheDataOfANamedDirectoryAndStartsFromSharedClasses() throws IOException {
        System.setProperty(UserDirectories.CACHE_PROPERTY, cache.toString());
        int port;
        try (EmbeddedCassandra first = start()) {
            port = first.contactPoint().getPort();
            first.createKeyspace("Shop");
            try (CqlSession session = session(first)) {
                session.execute("CREATE TABLE \"Shop\".item (id int PRIMARY KEY, name text)");
                session.execute("INSERT INTO \"Shop\".item (id, name) VALUES (1, 'lamp')");
            }
            keepsItsNumberOfNodes(first);
        }
        try (EmbeddedCassandra second = start();
                CqlSession session = session(second)) {
            assertThat(second.contactPoint().getPort())
                    .as("the same port again")
                    .isEqualTo(port);
            Row row = session.execute("SELECT name FROM \"Shop\".item WHERE id = 1")
                    .one();
            assertThat(row).isNotNull();
            assertThat(row.getString("name")).isEqualTo("lamp");
            mapsTheArchive(second.node(0));
        }
        assertThat(directory.resolve("node1/data")).as("stays after the stop").isDirectory();
    }

    private EmbeddedCassandra start() {
        return EmbeddedCassandra.builder().directory(directory).start();
    }

    private static CqlSession session(EmbeddedCassandra server) {
        return CqlSession.builder()
                .addContactPoints(server.contactPoints())
                .withLocalDatacenter(server.localDatacenter())
                .build();
    }

    private static void keepsItsNumberOfNodes(EmbeddedCassandra server) {
        assertThatExceptionOfType(EmbeddedCassandraException.class)
                .isThrownBy(server::addNode)
                .satisfies(e -> assertThat(e.getReason()).isEqualTo(Reason.UNSUPPORTED));
    }

    private void mapsTheArchive(CassandraNode node) throws IOException {
        assertThat(Files.readString(directory.resolve("node1/java.args"))).contains("-XX:SharedArchiveFile=");
        Path maps = Path.of("/proc", Long.toString(node.pid()), "maps");
        assumeThat(maps).as("only Linux shows what a process has mapped").exists();
        assertThat(Files.readString(maps))
                .containsPattern(Pattern.quote(cache.toRealPath().toString()) + "/classes-[0-9a-f]+\\.jsa");
    }

    @Test
    void keepsCassandraOffTheApplicationsClassPath() {
        assertThatExceptionOfType(ClassNotFoundException.class)
                .isThrownBy(() -> Class.forName("org.apache.cassandra.service.CassandraDaemon"));
    }

    @Test
    void saysWhyAServerDied() {
        List<Long> before = Servers.running();
        assertThatExceptionOfType(EmbeddedCassandraException.class)
                .isThrownBy(() -> EmbeddedCassandra.builder()
                        .setting("no_such_setting", 1)
                        .start())
                .satisfies(e -> assertThat(e.getReason()).isEqualTo(Reason.SERVER_DIED))
                .withMessageContaining("Cassandra 5.0.9 on")
                .withMessageContaining("no_such_setting")
                .withMessageContaining("surewrite.embedded.settings");
        leavesNothing(before);
    }

    @Test
    void saysHowFarASlowStartCame() {
        List<Long> before = Servers.running();
        assertThatExceptionOfType(EmbeddedCassandraException.class)
                .isThrownBy(() -> EmbeddedCassandra.builder()
                        .startupTimeout(Duration.ofMillis(900))
                        .start())
                .satisfies(e -> assertThat(e.getReason()).isEqualTo(Reason.START_TIMEOUT))
                .withMessageContaining("did not answer at /127.0.0.1:")
                .withMessageContaining("within PT0.9S")
                .withMessageContaining("surewrite.embedded.startup-timeout");
        leavesNothing(before);
    }

    /** Other tests and their server may run meanwhile in other JVMs, so only what is ours counts. */
    private static void leavesNothing(List<Long> before) {
        assertThat(Servers.running()).isEqualTo(before);
    }
}
