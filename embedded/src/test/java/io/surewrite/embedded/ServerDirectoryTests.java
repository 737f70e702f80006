package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surewrite.embedded.EmbeddedCassandraException.Reason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
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

    /** Nor is its lock gone when this JVM has asked again. */
    @Test
    void letsNobodyElseIn() throws Exception {
        try (ServerDirectory held = ServerDirectory.open(folder)) {
            assertThatExceptionOfType(EmbeddedCassandraException.class)
                    .isThrownBy(() -> ServerDirectory.open(folder))
                    .satisfies(e -> assertThat(e.getReason()).isEqualTo(Reason.DIRECTORY_IN_USE))
                    .withMessageContaining(held.path().toString())
                    .withMessageContaining("surewrite.embedded.directory");
            try (ForkedJvm other = holder(folder.resolve("surewrite.lock"))) {
                assertThat(other.awaitExit()).isEqualTo(LockHolder.REFUSED);
            }
        }
    }

    @Test
    void sweepsWhatAKilledProcessLeft() throws Exception {
        Path left = Files.createTempDirectory("surewrite-cassandra-");
        Path node = Files.createDirectories(left.resolve("node1/data")).getParent();
        Path notLockedYet = Files.createTempDirectory("surewrite-cassandra-");
        try (ServerDirectory ours = ServerDirectory.open(null);
                ForkedJvm server = holder(node.resolve("server.lock"));
                ForkedJvm owner = holder(left.resolve("surewrite.lock"))) {
            server.await("(held)", 1);
            owner.await("(held)", 1);
            ServerDirectory.open(null).close();
            assertThat(left).as("just made").isDirectory();
            Files.setLastModifiedTime(
                    left.resolve("surewrite.lock"), FileTime.from(Instant.now().minusSeconds(90)));
            ServerDirectory.open(null).close();
            assertThat(left).as("its process lives").isDirectory();
            owner.kill();
            ServerDirectory.open(null).close();
            assertThat(left).as("its server lives").isDirectory();
            server.kill();

            ServerDirectory.open(null).close();
            assertThat(left).doesNotExist();
            assertThat(notLockedYet).isDirectory();
            assertThat(ours.path()).isDirectory();
        } finally {
            Files.delete(notLockedYet);
        }
    }

    private ForkedJvm holder(Path lock) throws IOException {
        Path output = Files.createTempFile(folder, "holder", ".txt");
        return ForkedJvm.start(ForkedJvm.thisJavaHome(), output, LockHolder.class, lock.toString());
    }

    /** Another process that has a lock until it is killed. */
    static final class LockHolder {

        static final int REFUSED = 3;

        private LockHolder() {}

        public static void main(String[] args) throws Exception {
            try (FileChannel channel =
                    FileChannel.open(Path.of(args[0]), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                if (channel.tryLock() == null) {
                    System.exit(REFUSED);
                }
                System.out.println("held");
                Thread.sleep(Long.MAX_VALUE);
            }
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
