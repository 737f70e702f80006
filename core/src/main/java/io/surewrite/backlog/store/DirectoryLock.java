package io.surewrite.backlog.store;

import io.surewrite.backlog.BacklogException;
import io.surewrite.backlog.BacklogLockedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One writer per directory, until it is closed or the process ends, however it ends; and no reader besides: on POSIX systems
 * only the user of this process may enter the directory and read its files.
 */
record DirectoryLock(FileChannel channel) implements AutoCloseable {

    private static final String FILE = "backlog.lock";

    private static final Set<PosixFilePermission> OWN_DIRECTORY = PosixFilePermissions.fromString("rwx------");

    private static final Set<PosixFilePermission> OWN_FILE = PosixFilePermissions.fromString("rw-------");

    /**
     * Takes the lock.
     *
     * @throws BacklogLockedException if another process has it
     * @throws BacklogException if the directory cannot be written, or others can read it and that cannot be changed
     */
    static DirectoryLock take(Path directory) {
        try {
            makeDirectory(directory);
            Path file = directory.resolve(FILE);
            makePrivate(file);
            FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                if (lock(channel) == null) {
                    throw new BacklogLockedException(directory, Files.readString(file));
                }
                try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "backlog*")) {
                    for (Path existing : files) {
                        makePrivate(existing);
                    }
                }
                name(channel);
            } catch (IOException | RuntimeException failure) {
                channel.close();
                throw failure;
            }
            return new DirectoryLock(channel);
        } catch (IOException failure) {
            throw new BacklogException(
                    "The backlog cannot use the directory %s: %s. Instead, set surewrite.backlog.directory to one that this process may write, on a local disk"
                            .formatted(directory, failure),
                    failure);
        }
    }

    /** Makes a directory that only its owner may enter, or makes one so that is there. */
    static void makeDirectory(Path directory) throws IOException {
        boolean existed = Files.isDirectory(directory);
        Files.createDirectories(directory);
        if (!hasPermissions(directory)) {
            return;
        }
        Set<PosixFilePermission> now = Files.getPosixFilePermissions(directory);
        if (existed && !now.contains(PosixFilePermission.OWNER_WRITE)) {
            throw new FileSystemException(directory.toString(), null, "it is read-only"); // root could write it
        }
        restrict(directory, now, OWN_DIRECTORY);
    }

    /** Makes a file that only its owner may read, or makes one so that is there. */
    static void makePrivate(Path file) throws IOException {
        if (!hasPermissions(file.toAbsolutePath().getParent())) {
            if (!Files.exists(file)) {
                Files.createFile(file);
            }
        } else if (Files.exists(file)) {
            restrict(file, Files.getPosixFilePermissions(file), OWN_FILE);
        } else {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(OWN_FILE));
        }
    }

    private static boolean hasPermissions(@Nullable Path path) throws IOException {
        return path != null && Files.getFileStore(path).supportsFileAttributeView("posix");
    }

    private static void restrict(Path path, Set<PosixFilePermission> now, Set<PosixFilePermission> most)
            throws IOException {
        if (!most.containsAll(now)) {
            try {
                Files.setPosixFilePermissions(path, most);
            } catch (IOException notOurs) {
                throw new BacklogException(
                        "The backlog cannot use %s: others may read it (%s), and only its owner '%s' may change that. Instead, %s"
                                .formatted(
                                        path,
                                        PosixFilePermissions.toString(now),
                                        Files.getOwner(path).getName(),
                                        most.equals(OWN_FILE)
                                                ? "chown it to the user of this process"
                                                : "set surewrite.backlog.directory to %s, which the backlog makes for itself, and move files of the backlog there if it has any"
                                                        .formatted(path.resolve("backlog"))),
                        notOurs);
            }
        }
    }

    /** Brings to the disk which files the directory has. */
    static void force(Path directory) throws IOException {
        if (hasPermissions(directory)) { // elsewhere a directory cannot be opened
            try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
                names.force(true);
            }
        }
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException another) {
            return null; // a store of this JVM
        }
    }

    /** Says for others who has the lock. Not on a full disk: what waits must be replayed all the same. */
    private static void name(FileChannel channel) {
        try {
            byte[] name = ManagementFactory.getRuntimeMXBean().getName().getBytes(StandardCharsets.UTF_8);
            channel.write(ByteBuffer.wrap(name), 0);
            channel.truncate(name.length);
        } catch (IOException full) {
            // The name of an earlier owner stays.
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
