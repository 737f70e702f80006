package io.surewrite.verification.backlog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The least that one thread can do for others who share a flush: it appends bytes, which nobody can remove or find again,
 * and waits for the disk before it takes the next.
 */
final class HandWrittenGroupCommit implements AutoCloseable {

    private final FileChannel file;
    private final BlockingQueue<Put> queue = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> ended;

    HandWrittenGroupCommit(Path path) throws IOException {
        file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        ended = CompletableFuture.runAsync(this::run, command -> new Thread(command).start());
    }

    private record Put(ByteBuffer body, CompletableFuture<Void> done) {}

    CompletableFuture<Void> put(byte[] body) {
        Put put = new Put(ByteBuffer.wrap(body), new CompletableFuture<>());
        queue.add(put);
        return put.done();
    }

    private void run() {
        List<Put> group = new ArrayList<>();
        try {
            do {
                group.clear();
                group.add(queue.take());
                queue.drainTo(group);
                for (Put put : group) {
                    file.write(put.body());
                }
                file.force(false);
                group.forEach(put -> put.done().complete(null));
            } while (!group.contains(LAST));
        } catch (InterruptedException nobodyDoesThat) {
            Thread.currentThread().interrupt();
        } catch (IOException failure) {
            group.forEach(put -> put.done().completeExceptionally(failure));
        }
    }

    @Override
    public void close() throws IOException {
        queue.add(LAST);
        ended.join();
        file.close();
    }

    private static final Put LAST = new Put(ByteBuffer.allocate(0), new CompletableFuture<>());
}
