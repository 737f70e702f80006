package io.surewrite.backlog.store;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/** A process that puts entries and says which are durable, until it is killed. */
final class KilledWriter {

    private KilledWriter() {}

    @SuppressWarnings("InfiniteLoopStatement") // until it is killed
    public static void main(String[] args) {
        SqliteBacklogStore store = new SqliteBacklogStore(Path.of(args[0]), Long.MAX_VALUE, Long.MAX_VALUE);
        for (int i = 0; ; i++) {
            CompletableFuture<Long> first = store.put(Instant.EPOCH, ("a" + i).getBytes(StandardCharsets.UTF_8));
            CompletableFuture<Long> second = store.put(Instant.EPOCH, ("b" + i).getBytes(StandardCharsets.UTF_8));
            System.out.println(Math.max(first.join(), second.join()));
        }
    }
}
