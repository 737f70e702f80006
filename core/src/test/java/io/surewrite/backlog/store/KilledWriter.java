package io.surewrite.backlog.store;

import io.surewrite.backlog.BacklogStore;
import io.surewrite.backlog.replay.EntryCodec;
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
