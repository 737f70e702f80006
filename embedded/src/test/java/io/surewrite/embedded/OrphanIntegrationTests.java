package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.surewrite.testsupport.LongLane;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@LongLane // It starts a server of its own.
class OrphanIntegrationTests {

    @TempDir
    private Path folder;

    @Test
    void leavesNoServerTenSecondsAfterItsApplicationWasKilled() throws IOException {
        Path kept = folder.resolve("kept");
        try (ForkedJvm application =
                ForkedJvm.start(ForkedJvm.thisJavaHome(), folder.resolve("out"), Application.class, kept.toString())) {
            List<String> pids = application.await("PID (\\d+)", 3);
            List<String> temporary = application.await("TEMPORARY (.+)", 2);
            assertThat(servers(pids)).hasSize(3);

            application.kill();

            await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
                assertThat(servers(pids)).isEmpty();
                assertThat(temporary)
                        .allSatisfy(path -> assertThat(Path.of(path)).doesNotExist());
            });
            assertThat(kept.resolve("node1/data")).isDirectory();
        }
    }

    private static List<ProcessHandle> servers(List<String> pids) {
        return pids.stream()
                .map(pid -> ProcessHandle.of(Long.parseLong(pid)))
                .flatMap(Optional::stream)
                .filter(ProcessHandle::isAlive)
                .toList();
    }

    /** Runs a server with a temporary directory, a paused one, and one with a named directory. */
    static final class Application {

        private Application() {}

        public static void main(String[] args) throws InterruptedException {
            List<EmbeddedCassandraBuilder> servers = List.of(
                    EmbeddedCassandra.builder(),
                    EmbeddedCassandra.builder(),
                    EmbeddedCassandra.builder().directory(Path.of(args[0])));
            List<EmbeddedCassandra> started = Stream.of(0, 1, 2)
                    .parallel()
                    .map(index -> servers.get(index).start())
                    .toList();
            started.get(1).node(0).pause();
            for (EmbeddedCassandra server : started.subList(0, 2)) {
                System.out.println("TEMPORARY " + server.directory());
            }
            for (EmbeddedCassandra server : started) {
                System.out.println("PID " + server.node(0).pid());
            }
            Thread.currentThread().join();
        }
    }
}
