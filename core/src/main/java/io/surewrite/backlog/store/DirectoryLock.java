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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** One writer per directory, until it is closed or the process ends, however it ends. */
final class DirectoryLock implements AutoCloseable {

    private static final String FILE = "backlog.lock";

    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the lock.
     *
     * @throws BacklogLockedException if another process has it
     * @throws BacklogException if the directory cannot be written
     */
    static DirectoryLock take(Path directory) {
        try {
            Files.createDirectories(directory);
            Path file = directory.resolve(FILE);
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            if (lock(channel) == null) {
                channel.close();
                throw new BacklogLockedException(directory, Files.readString(file));
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(
                    ManagementFactory.getRuntimeMXBean().getName().getBytes(StandardCharsets.UTF_8)));
            return new DirectoryLock(channel);
        } catch (IOException failure) {
            throw new BacklogException(
                    "The backlog cannot use the directory %s: %s. Instead, set surewrite.backlog.directory to one that this process may write, on a local disk"
                            .formatted(directory, failure),
                    failure);
        }
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException another) {
            return null; // a store of this JVM
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
