package io.surewrite.backlog;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.write.FailureKind;
import io.surewrite.write.WriteFailures;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the cluster says about its time and its tables, asked once for some entries: this machine's clock may have been set
 * meanwhile, and what the driver knows of tables may be from before the cluster was away. One node is asked; where its clock and
 * this machine's differ, so are others, and the clock in their middle counts: a node whose clock is wrong gives up nothing.
 */
final class ClusterState {

    /**
     * This machine and the node may each be off by as much as is permitted, and timestamps may lead by twice as much where
     * processes share leases. The rest is for settings that permit more.
     */
    private static final Duration TOLERANCE = Duration.ofMinutes(2);

    /** Clocks that differ by more than this are not both right. */
    private static final Duration AGREEING = Duration.ofSeconds(10);

    /** With four more, two may be wrong. */
    private static final int MOST_OTHERS = 4;

    /** A truncation as a node notes it: a position in its commit log, and milliseconds. */
    private static final int TRUNCATION = Long.BYTES + Integer.BYTES + Long.BYTES;

    private final CqlSession session;
    private final Supplier<Instant> own;
    private final CompletableFuture<Said> node;
    private final Map<BacklogEntry.Table, CompletableFuture<@Nullable UUID>> tables = new ConcurrentHashMap<>();

    /** What a node knows. */
    private record Said(long offset, Map<UUID, ByteBuffer> truncated) {

        Instant now() {
            return Instant.ofEpochMilli(offset + System.nanoTime() / 1_000_000);
        }

        private boolean isAbout(Instant time) {
            return Duration.between(now(), time).abs().compareTo(AGREEING) <= 0;
        }

        private boolean emptied(@Nullable UUID table, long timestamp) {
            ByteBuffer noted = table == null ? null : truncated.get(table);
            return noted != null
                    && noted.remaining() == TRUNCATION
                    && timestamp / 1_000 <= noted.getLong(noted.position() + TRUNCATION - Long.BYTES);
        }
    }

    ClusterState(CqlSession session, Supplier<Instant> own) {
        this.session = session;
        this.own = own;
        this.node = ask(state(null)).thenCompose(answer -> {
            Said first = said(answer);
            return answer == null || first.isAbout(own.get())
                    ? CompletableFuture.completedFuture(first)
                    : inTheMiddle(first, answer.getExecutionInfo().getCoordinator());
        });
    }

    /** The state of the node whose clock is in the middle of all that answer, this machine's included if they are even. */
    private CompletableFuture<Said> inTheMiddle(Said first, @Nullable Node asked) {
        List<CompletableFuture<@Nullable Said>> others = session.getMetadata().getNodes().values().stream()
                .filter(other -> !other.equals(asked)
                        && other.getState() == NodeState.UP
                        && other.getDistance() != NodeDistance.IGNORED)
                .limit(MOST_OTHERS)
                .map(other -> ask(state(other)).handle((answer, silent) -> answer == null ? null : said(answer)))
                .toList();
        return CompletableFuture.allOf(others.toArray(CompletableFuture<?>[]::new))
                .thenApply(all -> {
                    List<Said> voices = Stream.concat(
                                    Stream.of(first), others.stream().map(CompletableFuture::join))
                            .filter(Objects::nonNull)
                            .toList();
                    Stream<Instant> clocks = voices.stream().map(Said::now);
                    Instant middle = (voices.size() % 2 == 0 ? Stream.concat(clocks, Stream.of(own.get())) : clocks)
                            .sorted()
                            .toList()
                            .get(voices.size() / 2);
                    return Collections.min(
                            voices,
                            Comparator.comparing(voice ->
                                    Duration.between(voice.now(), middle).abs()));
                });
    }

    private static SimpleStatement state(@Nullable Node of) {
        return SimpleStatement.newInstance("SELECT toTimestamp(now()) AS time, truncated_at FROM system.local")
                .setNode(of);
    }

    private static Said said(@Nullable AsyncResultSet answer) {
        Row row = answer == null ? null : answer.one();
        Instant time = row == null ? null : row.getInstant("time");
        Map<UUID, ByteBuffer> truncated = row == null ? null : row.getMap("truncated_at", UUID.class, ByteBuffer.class);
        long offset = (time == null ? System.currentTimeMillis() : time.toEpochMilli()) - System.nanoTime() / 1_000_000;
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

    /** What time it is in the cluster; fails like the driver. */
    CompletableFuture<Instant> time() {
        return node.thenApply(Said::now);
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
