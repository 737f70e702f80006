package io.surewrite.embedded.child;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * One server at a time in a node's directory. The operating system gives the lock back when the server ends, however it
 * ends, so that a new server waits for an old one that is still stopping.
 */
final class NodeLock {

    private static final long PATIENCE_NANOS = 15_000_000_000L;

    /** Held until the JVM ends: a collected channel would give the lock back. */
    private static @Nullable FileLock held;

    private NodeLock() {}

    static void take(Path file) throws IOException, InterruptedException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        long start = System.nanoTime();
        while (held == null) {
            held = channel.tryLock();
            if (held == null && System.nanoTime() - start > PATIENCE_NANOS) {
                throw new IOException("Another server still holds " + file);
            }
            Thread.sleep(held == null ? 50 : 0);
        }
    }
}
