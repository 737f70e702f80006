package io.surewrite.embedded;

import static io.surewrite.embedded.EmbeddedCassandraException.Reason.DIRECTORY_IN_USE;
import static io.surewrite.embedded.EmbeddedCassandraException.Reason.DIRECTORY_UNUSABLE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The directory of a cluster, locked against others: a temporary one that goes away with it, or a named one that stays. */
final class ServerDirectory implements AutoCloseable {

    private static final String TEMPORARY = "surewrite-cassandra-";
    private static final String LOCK = "surewrite.lock";

    /** Another process makes the file of its lock, and locks it a moment later. */
    private static final Duration BEING_MADE = Duration.ofMinutes(1);

    /** Those of this JVM. To open and close the file of a lock that it holds would give that lock back. */
    private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final boolean temporary;
    private final FileChannel channel;

    private ServerDirectory(Path path, boolean temporary, FileChannel channel) {
        this.path = path;
        this.temporary = temporary;
        this.channel = channel;
    }

    static ServerDirectory open(@Nullable Path named) {
        try {
            Path path = named == null
                    ? Files.createTempDirectory(TEMPORARY).toRealPath()
                    : Files.createDirectories(named.toAbsolutePath()).toRealPath();
            ServerDirectory directory = new ServerDirectory(path, named == null, lock(path));
            if (directory.temporary) {
                directory.sweepBeside();
            }
            return directory;
        } catch (IOException e) {
            String what = named == null
                    ? "a temporary directory"
                    : named.toAbsolutePath().toString();
            throw new EmbeddedCassandraException(
                    DIRECTORY_UNUSABLE,
                    "Cannot use " + what + " for Cassandra's data: " + e,
                    "Choose a directory that this user may create, read and write with surewrite.embedded.directory,"
                            + " or leave it out: then a temporary one is taken.",
                    e);
        }
    }

    /** Deletes the temporary directories of processes that were killed together with their servers. */
    private void sweepBeside() {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(path.getParent(), TEMPORARY + "*")) {
            for (Path left : found) {
                if (!OPEN.contains(left.toRealPath())) {
                    sweep(left);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // It may not be ours to read; what is left there does no harm.
        }
    }

    /** Deletes a directory if its lock and those of its servers are held by no process, and it was not made just now. */
    private static void sweep(Path left) throws IOException {
        Path lock = left.resolve(LOCK);
        if (!Files.exists(lock)
                || Files.getLastModifiedTime(lock)
                        .toInstant()
                        .isAfter(Instant.now().minus(BEING_MADE))) {
            return;
        }
        try (FileChannel owner = FileChannel.open(lock, StandardOpenOption.WRITE)) {
            if (owner.tryLock() == null || isServed(left)) {
                return;
            }
            deleteTree(left);
        } catch (IOException | UncheckedIOException | OverlappingFileLockException e) {
            // Another user's, or in use, or swept by another process just now.
        }
    }

    private static boolean isServed(Path cluster) throws IOException {
        try (DirectoryStream<Path> nodes = Files.newDirectoryStream(cluster, "node*")) {
            for (Path node : nodes) {
                Path lock = node.resolve("server.lock");
                if (Files.exists(lock)) {
                    try (FileChannel server = FileChannel.open(lock, StandardOpenOption.WRITE)) {
                        if (server.tryLock() == null) {
                            return true;
                        }
                    }
                }
            }
        }
        return false;
    }

    private static FileChannel lock(Path path) throws IOException {
        if (OPEN.add(path)) {
            FileChannel channel =
                    FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            @SuppressWarnings("resource") // Closing the channel gives it back.
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return channel;
            }
            channel.close();
            OPEN.remove(path);
        }
        throw new EmbeddedCassandraException(
                DIRECTORY_IN_USE,
                "Another embedded Cassandra is running in " + path,
                "Stop it, or choose another directory with surewrite.embedded.directory.");
    }

    Path path() {
        return path;
    }

    boolean isTemporary() {
        return temporary;
    }

    Path node(int index) throws IOException {
        return Files.createDirectories(path.resolve("node" + (index + 1)));
    }

    /** Gives the lock back, and deletes a temporary directory. */
    @Override
    public void close() {
        try {
            channel.close();
            OPEN.remove(path);
            if (temporary) {
                deleteTree(path);
            }
        } catch (IOException | UncheckedIOException e) {
            System.getLogger(ServerDirectory.class.getName())
                    .log(System.Logger.Level.WARNING, "Could not delete all of " + path, e);
        }
    }

    private static void deleteTree(Path path) throws IOException {
        if (!Files.exists(path)) {
            return; // The last server saw its parent go and did it.
        }
        try (Stream<Path> tree = Files.walk(path)) {
            List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        }
    }
}
