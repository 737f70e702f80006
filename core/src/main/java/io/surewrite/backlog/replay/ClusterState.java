package io.surewrite.backlog.replay;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.cql.FailureKind;
import io.surewrite.cql.WriteFailures;
import io.surewrite.cql.session.DriverFailures;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What the cluster says about its time and its tables, asked once for some entries: this machine's clock may have been set
 * meanwhile, and what the driver knows of tables may be from before the cluster was away.
 */
final class ClusterState {

    /**
     * This machine and the node may each be off by as much as is permitted, and timestamps may lead by twice as much where
     * processes share leases. The rest is for settings that permit more.
     */
    private static final Duration TOLERANCE = Duration.ofMinutes(2);

    /** A truncation as a node notes it: a position in its commit log, and milliseconds. */
    private static final int TRUNCATION = Long.BYTES + Integer.BYTES + Long.BYTES;

    private final CqlSession session;
    private final CompletableFuture<Node> node;
    private final Map<BacklogEntry.Table, CompletableFuture<Current>> tables = new ConcurrentHashMap<>();

    /**
     * What a node knows.
     *
     * @param offset what to add to this machine's monotonic clock to get the node's time
     * @param truncated when tables were emptied, in milliseconds
     */
    private record Node(long offset, Map<UUID, ByteBuffer> truncated) {

        Instant now() {
            return Instant.ofEpochMilli(offset + System.nanoTime() / 1_000_000);
        }

        private boolean emptied(@Nullable UUID table, long timestamp) {
            ByteBuffer noted = table == null ? null : truncated.get(table);
            return noted != null
                    && noted.remaining() == TRUNCATION
                    && timestamp / 1_000 <= noted.getLong(noted.position() + TRUNCATION - Long.BYTES);
        }
    }

    /** The table that has a name now; its id is null if none has it. */
    private record Current(@Nullable UUID id) {}

    ClusterState(CqlSession session) {
        this.session = session;
        this.node = ask("SELECT toTimestamp(now()) AS time, truncated_at FROM system.local")
                .thenApply(row -> {
                    Instant time = row == null ? null : row.getInstant("time");
                    Map<UUID, ByteBuffer> truncated =
                            row == null ? null : row.getMap("truncated_at", UUID.class, ByteBuffer.class);
                    long offset = (time == null ? System.currentTimeMillis() : time.toEpochMilli())
                            - System.nanoTime() / 1_000_000;
                    return new Node(offset, truncated == null ? Map.of() : truncated);
                });
    }

    /** The first row, or null if there is none or the server knows no such table. */
    private CompletableFuture<@Nullable Row> ask(String query, Object... values) {
        return session.executeAsync(SimpleStatement.newInstance(query, values)
                        .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_ONE)
                        .setIdempotent(true))
                .thenApply(AsyncResultSet::one)
                .exceptionally(failure -> {
                    if (WriteFailures.ofPlain(DriverFailures.unwrapped(failure)) == FailureKind.WRONG_STATEMENT) {
                        return null;
                    }
                    throw new CompletionException(DriverFailures.unwrapped(failure));
                })
                .toCompletableFuture();
    }

    /** What time it is in the cluster; fails like the driver. */
    CompletableFuture<Instant> time() {
        return node.thenApply(Node::now);
    }

    /** Whether an entry would be newer than what others write now. */
    static boolean isAhead(BacklogEntry entry, Instant clusterTime) {
        return BacklogEntry.instant(entry.timestamp()).isAfter(clusterTime.plus(TOLERANCE));
    }

    /** Why what the entry was decided for is not there any more, or null if it is; fails like the driver. */
    CompletableFuture<@Nullable String> whyReplaced(BacklogEntry entry) {
        CompletableFuture<@Nullable String> answer = CompletableFuture.completedFuture(null);
        for (BacklogEntry.Part part : entry.statements()) {
            for (BacklogEntry.Table table : part.tables()) {
                answer = answer.thenCombine(
                        whyReplaced(table, entry.timestamp()), (first, next) -> first == null ? next : first);
            }
        }
        return answer;
    }

    private CompletableFuture<@Nullable String> whyReplaced(BacklogEntry.Table table, long timestamp) {
        return tables.computeIfAbsent(
                        table,
                        asked -> ask(
                                        "SELECT id FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?",
                                        asked.keyspace().asInternal(),
                                        asked.name().asInternal())
                                .thenApply(row -> new Current(row == null ? null : row.getUuid("id"))))
                .thenCombine(node, (current, known) -> {
                    UUID then = table.id();
                    if (then != null && current.id() != null && !then.equals(current.id())) {
                        return "table %s was dropped and created again since it was decided".formatted(table.name());
                    }
                    return known.emptied(current.id(), timestamp)
                            ? "table %s was truncated since it was decided".formatted(table.name())
                            : null;
                });
    }
}
