package io.surewrite.embedded.child;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Starts Cassandra's daemon and listens to its parent on standard input: {@code stop} ends the server in order,
 * {@code archive FILE} writes a class-data-sharing archive, {@code link ...} is for {@link Links}, {@code operate ...} for {@link Operations}, and the end of the stream means that the parent is gone, so
 * that nothing is left behind even when it was killed.
 */
public final class ServerMain {

    private static final String DAEMON = "org.apache.cassandra.service.CassandraDaemon";

    /** How long an orderly stop may take when no process is left to wait for it. */
    private static final long ORPHAN_STOP_MILLIS = 6_000;

    private static final long ORPHAN_DELETE_NANOS = 3_000_000_000L;

    private final Path nodeDirectory;
    private final boolean temporary;

    private ServerMain(Path nodeDirectory, boolean temporary) {
        this.nodeDirectory = nodeDirectory;
        this.temporary = temporary;
    }

    /**
     * Runs the server.
     *
     * @param args the node's directory, and {@code temporary} or {@code kept}
     * @throws Exception when the daemon cannot be started
     */
    public static void main(String[] args) throws Exception {
        Path nodeDirectory = Path.of(args[0]);
        boolean temporary = args[1].equals("temporary");
        Thread commands = new Thread(new ServerMain(nodeDirectory, temporary)::obeyParent, "surewrite-parent");
        commands.setDaemon(true);
        commands.start();
        // Only now: the wait for another server's end must not outlive the parent.
        NodeLock.take(nodeDirectory.resolve("server.lock"));
        Class.forName(DAEMON).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    }

    private void obeyParent() {
        try (BufferedReader parent = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = parent.readLine(); line != null; line = parent.readLine()) {
                if (line.equals("stop")) {
                    System.exit(0);
                } else if (line.startsWith("archive ")) {
                    ClassArchive.write(Path.of(line.substring("archive ".length())));
                } else if (line.startsWith("link ")) {
                    Links.obey(line.substring("link ".length()));
                } else if (line.startsWith("operate ")) {
                    Operations.obey(line.substring("operate ".length()));
                }
            }
        } catch (IOException e) {
            System.err.println("Lost the parent process: " + e);
        }
        stopAsOrphan();
    }

    private void stopAsOrphan() {
        if (temporary) {
            deleteAll();
        } else {
            Thread stop = new Thread(() -> System.exit(0), "surewrite-orphan-stop");
            stop.setDaemon(true);
            stop.start();
            try {
                stop.join(ORPHAN_STOP_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        Runtime.getRuntime().halt(0);
    }

    /** Deletes the node's directory, and its parent when this was the last node in it. */
    private void deleteAll() {
        long start = System.nanoTime();
        while (Files.exists(nodeDirectory) && System.nanoTime() - start < ORPHAN_DELETE_NANOS) {
            deleteOnce();
        }
        Path cluster = nodeDirectory.toAbsolutePath().getParent();
        if (cluster != null) {
            try {
                Files.deleteIfExists(cluster.resolve("surewrite.lock"));
                Files.deleteIfExists(cluster);
            } catch (IOException e) {
                // Another node is still in it, and deletes it later.
            }
        }
    }

    /** The server still writes: a file that comes or goes meanwhile is for the next attempt. */
    private void deleteOnce() {
        try (Stream<Path> tree = Files.walk(nodeDirectory)) {
            List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).collect(Collectors.toList());
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            // Gone by itself, or just written: the next attempt sees.
        }
    }
}
