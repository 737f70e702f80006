package io.surewrite.backlog;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.write.ClockOffsetException;
import io.surewrite.write.FailureKind;
import io.surewrite.write.WriteFailures;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What the cluster says about its time and its tables, asked once for some entries: what the driver knows of tables may be from
 * before the cluster was away. Where the node's clock and this machine's are apart, one of them is wrong, and nothing is decided.
 */
final class ClusterState {

    /**
     * This machine and the node may each be off by as much as is permitted, and timestamps may lead by twice as much where
     * processes share leases. The rest is for settings that permit more.
     */
    private static final Duration TOLERANCE = Duration.ofMinutes(2);

    /** Clocks that differ by more than this are not both right. */
    private static final Duration AGREEING = Duration.ofSeconds(10);

    /** A truncation as a node notes it: a position in its commit log, and milliseconds. */
    private static final int TRUNCATION = Long.BYTES + Integer.BYTES + Long.BYTES;

    private final CqlSession session;
    private final CompletableFuture<Said> node;
    private final Map<BacklogEntry.Table, CompletableFuture<@Nullable UUID>> tables = new ConcurrentHashMap<>();

    /** What a node knows; its clock goes on from what it said. */
    private record Said(long offset, Map<UUID, ByteBuffer> truncated) {

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

    ClusterState(CqlSession session, Clock own) {
        this.session = session;
        this.node = ask(SimpleStatement.newInstance(
                        "SELECT toTimestamp(now()) AS time, truncated_at FROM system.local"))
                .thenApply(answer -> said(answer, own));
    }

    private static Said said(@Nullable AsyncResultSet answer, Clock own) {
        Row row = answer == null ? null : answer.one();
        Instant time = row == null ? null : row.getInstant("time");
        Map<UUID, ByteBuffer> truncated = row == null ? null : row.getMap("truncated_at", UUID.class, ByteBuffer.class);
        Instant here = own.instant();
        if (time != null && Duration.between(time, here).abs().compareTo(AGREEING) > 0) {
            throw new ClockOffsetException(
                    "backlog",
                    "the clock of this machine shows %s, and that of the node that was asked %s".formatted(here, time));
        }
        long offset = (time == null ? here : time).toEpochMilli() - System.nanoTime() / 1_000_000;
        return new Said(offset, truncated == null ? Map.of() : truncated);
    }

    /** The answer, or null if the server knows no such table. */
    private CompletableFuture<@Nullable AsyncResultSet> ask(SimpleStatement query) {
        return session.executeAsync(query.setConsistencyLevel(DefaultConsistencyLevel.LOCAL_ONE)
                        .setIdempotent(true))
                .exceptionally(failure -> {
                    if (WriteFailures.ofPlain(DriverFailures.unwrapped(failure)) == FailureKind.WRONG_STATEMENT) {
                        return null;
                    }
                    throw new CompletionException(DriverFailures.unwrapped(failure));
                })
                .toCompletableFuture();
    }

    CompletableFuture<Instant> time() {
        return node.thenApply(Said::now);
    }

    static boolean isAhead(BacklogEntry entry, Instant clusterTime) {
        return BacklogEntry.instant(entry.timestamp()).isAfter(clusterTime.plus(TOLERANCE));
    }

    /** Why what the entry was decided for is not there any more, or null if it is. */
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
                        asked -> ask(SimpleStatement.newInstance(
                                        "SELECT id FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?",
                                        asked.keyspace().asInternal(),
                                        asked.name().asInternal()))
                                .thenApply(answer -> {
                                    Row row = answer == null ? null : answer.one();
                                    return row == null ? null : row.getUuid("id");
                                }))
                .thenCombine(node, (current, known) -> {
                    UUID then = table.id();
                    if (then != null && current != null && !then.equals(current)) {
                        return "table %s was dropped and created again since it was decided".formatted(table.name());
                    }
                    return known.emptied(current, timestamp)
                            ? "table %s was truncated since it was decided".formatted(table.name())
                            : null;
                });
    }
}
