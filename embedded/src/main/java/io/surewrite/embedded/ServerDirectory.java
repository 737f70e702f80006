package io.surewrite.embedded;

import static io.surewrite.embedded.EmbeddedCassandraException.Reason.DIRECTORY_IN_USE;
import static io.surewrite.embedded.EmbeddedCassandraException.Reason.DIRECTORY_UNUSABLE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The directory of a cluster, locked against others: a temporary one that goes away with it, or a named one that stays. */
final class ServerDirectory implements AutoCloseable {

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
                    ? Files.createTempDirectory("surewrite-cassandra-").toRealPath()
                    : Files.createDirectories(named.toAbsolutePath()).toRealPath();
            return new ServerDirectory(path, named == null, lock(path));
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

    private static FileChannel lock(Path path) throws IOException {
        FileChannel channel =
                FileChannel.open(path.resolve("surewrite.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            @SuppressWarnings("resource") // Closing the channel gives it back.
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // Held by this very JVM, as below.
        }
        channel.close();
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
            if (temporary) {
                delete();
            }
        } catch (IOException | UncheckedIOException e) {
            System.getLogger(ServerDirectory.class.getName())
                    .log(System.Logger.Level.WARNING, "Could not delete all of " + path, e);
        }
    }

    private void delete() throws IOException {
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
