package io.surewrite.backlog;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.sqlite.SQLiteConfig;

/** A process whose threads put entries and say which are durable, until it is killed. */
final class KilledWriter implements AutoCloseable {

    /** A machine that does other things as well needs long to start one. */
    private static final Duration STARTED_BY_THEN = Duration.ofMinutes(3);

    private final Process process;
    private final Path said;

    private KilledWriter(Process process, Path said) {
        this.process = process;
        this.said = said;
    }

    /**
     * Starts one, below another command or none, and waits until it has said as many bytes.
     *
     * @param arguments how many threads, and then, if it is to end by itself, after how many entries, and how it synchronizes
     */
    static KilledWriter start(List<String> below, Path directory, Path said, int bytes, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(below);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-classpath",
                System.getProperty("java.class.path"),
                KilledWriter.class.getName(),
                directory.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
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

    /** Kills it. Returns the names of the entries that it has said to their ends. */
    List<String> kill() throws IOException {
        close();
        String all = Files.readString(said);
        return List.of(all.substring(0, all.lastIndexOf('\n')).split("\n", -1));
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    public static void main(String[] args) {
        int most = args.length < 3 ? Integer.MAX_VALUE : Integer.parseInt(args[2]);
        SQLiteConfig config = BacklogFile.lasting();
        if (args.length > 3) {
            config.setSynchronous(SQLiteConfig.SynchronousMode.valueOf(args[3]));
        }
        SqliteBacklogStore store = new SqliteBacklogStore(
                Path.of(args[0]), Long.MAX_VALUE, Long.MAX_VALUE, false, config, opened -> opened);
        String life = Long.toString(ProcessHandle.current().pid()) + "/"
                + store.size().entries();
        for (int i = 0; i < Integer.parseInt(args[1]); i++) {
            String thread = life + "/" + i;
            new Thread(() -> {
                        for (int n = 0; n < most; n++) {
                            write(store, thread + "/" + n, n);
                        }
                    })
                    .start();
        }
    }

    /** Puts, and makes dead letters and takes out some of what is there, so that pages come and go. */
    private static void write(SqliteBacklogStore store, String name, int n) {
        long id = put(store, "done " + name).join();
        CompletableFuture<?> other = n % 3 == 0 ? bury(store, id) : store.remove(List.of(id));
        put(store, name).join();
        other.join();
        System.out.println(name);
    }

    private static CompletableFuture<?> bury(SqliteBacklogStore store, long id) {
        StoredEntry entry = store.next(id - 1, 1).join().get(0);
        return DamagedFilesTests.reject(store, entry).thenCompose(buried -> store.discard(List.of(id)));
    }

    private static CompletableFuture<Long> put(SqliteBacklogStore store, String text) {
        return store.put(Instant.EPOCH, text.getBytes(StandardCharsets.UTF_8));
    }
}
