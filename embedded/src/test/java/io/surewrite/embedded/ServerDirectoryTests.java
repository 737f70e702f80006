package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surewrite.embedded.EmbeddedCassandraException.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerDirectoryTests {

    @TempDir
    private Path folder;

    @Test
    void deletesATemporaryOne() throws IOException {
        ServerDirectory directory = ServerDirectory.open(null);
        Files.writeString(directory.node(0).resolve("data"), "x");
        directory.close();
        assertThat(directory.path()).doesNotExist();
        assertThat(directory.isTemporary()).isTrue();
    }

    @Test
    void keepsANamedOneAndLetsOthersInAfterwards() {
        Path named = folder.resolve("a/b");
        ServerDirectory.open(named).close();
        assertThat(named).isDirectory();
        ServerDirectory.open(named).close();
    }

    @Test
    void letsNobodyElseIn() {
        try (ServerDirectory held = ServerDirectory.open(folder)) {
            assertThatExceptionOfType(EmbeddedCassandraException.class)
                    .isThrownBy(() -> ServerDirectory.open(folder))
                    .satisfies(e -> assertThat(e.getReason()).isEqualTo(Reason.DIRECTORY_IN_USE))
                    .withMessageContaining(held.path().toString())
                    .withMessageContaining("surewrite.embedded.directory");
        }
    }

    @Test
    void saysWhichDirectoryCannotBeUsed() throws IOException {
        // A file in the way stops even the superuser, whom permissions do not.
        Path unusable = Files.writeString(folder.resolve("file"), "x").resolve("below");
        assertThatExceptionOfType(EmbeddedCassandraException.class)
                .isThrownBy(() -> ServerDirectory.open(unusable))
                .satisfies(e -> assertThat(e.getReason()).isEqualTo(Reason.DIRECTORY_UNUSABLE))
                .withMessageContaining("Cannot use " + unusable)
                .withMessageContaining("surewrite.embedded.directory");
    }

    @Test
    void remembersThePortsOfANamedOne() throws IOException {
        List<InetAddress> one = Ports.addresses(1);
        try (ServerDirectory directory = ServerDirectory.open(folder)) {
            Options options = EmbeddedCassandra.builder().directory(folder).options();
            Ports first = KeptPorts.of(directory, options).find(one);
            assertThat(KeptPorts.of(directory, options).find(one)).isEqualTo(first);
            try (ServerSocket taken = new ServerSocket(first.cql(), 1, one.get(0))) {
                assertThat(KeptPorts.of(directory, options).find(one).cql()).isNotEqualTo(taken.getLocalPort());
            }
        }
    }

    @Test
    void refusesAnotherNumberOfNodesThanItHolds() throws IOException {
        try (ServerDirectory directory = ServerDirectory.open(folder)) {
            KeptPorts.of(directory, EmbeddedCassandra.builder().options()).find(Ports.addresses(1));
            Options three = EmbeddedCassandra.builder().nodes(3).options();
            assertThatExceptionOfType(EmbeddedCassandraException.class)
                    .isThrownBy(() -> KeptPorts.of(directory, three).find(Ports.addresses(3)))
                    .withMessageContaining("holds the data of 1 node(s), not of 3");
        }
    }
}
