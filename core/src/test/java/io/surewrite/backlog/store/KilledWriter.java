package io.surewrite.backlog.store;

import static org.awaitility.Awaitility.await;

import io.surewrite.backlog.BacklogStore;
import io.surewrite.backlog.replay.EntryCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** A process that puts entries and says which are durable, until it is killed. */
final class KilledWriter implements AutoCloseable {

    /** A machine that does other things as well needs long to start one. */
    private static final Duration STARTED_BY_THEN = Duration.ofMinutes(3);

    private final Process process;
    private final Path said;

    private KilledWriter(Process process, Path said) {
        this.process = process;
        this.said = said;
    }

    /** Starts one and waits until it has said as many bytes. */
    static KilledWriter start(Path directory, Path said, int bytes) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-classpath",
                        System.getProperty("java.class.path"),
                        KilledWriter.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(said.toFile())
                .start();
        KilledWriter writer = new KilledWriter(process, said);
        try {
            await().atMost(STARTED_BY_THEN).until(() -> Files.size(said) > bytes || !process.isAlive());
        } catch (RuntimeException tooSlow) {
            writer.close();
            throw tooSlow;
        }
        return writer;
    }

    long pid() {
        return process.pid();
    }

    /** Kills it. Returns the ids that it has said to their ends. */
    long[] kill() throws IOException {
        close();
        String all = Files.readString(said);
        return Stream.of(all.substring(0, all.lastIndexOf('\n')).split("\n", -1))
                .mapToLong(Long::parseLong)
                .toArray();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    @SuppressWarnings("InfiniteLoopStatement") // until it is killed
    public static void main(String[] args) {
        SqliteBacklogStore store = new SqliteBacklogStore(Path.of(args[0]), Long.MAX_VALUE, Long.MAX_VALUE, false);
        for (int i = 0; ; i++) {
            CompletableFuture<Long> first = put(store, "a" + i);
            CompletableFuture<Long> second = put(store, "b" + i);
            System.out.println(Math.max(first.join(), second.join()));
        }
    }

    private static CompletableFuture<Long> put(SqliteBacklogStore store, String text) {
        return store.put(
                new BacklogStore.Key("test.rows", null),
                Instant.EPOCH,
                EntryCodec.sealed(text.getBytes(StandardCharsets.UTF_8)));
    }
}
