package io.surewrite.backlog;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.internal.session.ForgottenStatements;
import io.surewrite.write.TransactionalTableException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Sends an entry as it was decided: at its timestamp and consistency, with what is left of its time to live. */
final class EntrySender {

    /** No memory is enough for an application that makes more texts than this: it makes them of values. */
    private static final int MOST = 2_000;

    private final CqlSession session;

    /** Stay prepared while the cluster is away: the driver keeps only those that are held. */
    private final Map<String, PreparedStatement> held = new ConcurrentHashMap<>();

    EntrySender(CqlSession session) {
        this.session = session;
    }

    void hold(PreparedStatement statement) {
        if (held.get(statement.getQuery()) != statement && held.size() < MOST) {
            held.put(statement.getQuery(), statement);
        }
    }

    @Nullable
    PreparedStatement held(String cql) {
        return held.get(cql);
    }

    CompletionStage<AsyncResultSet> send(BacklogEntry entry, Instant now) {
        List<BacklogEntry.Part> alive = entry.alive(now);
        List<CompletableFuture<PreparedStatement>> prepared =
                alive.stream().map(this::prepared).toList();
        CompletableFuture<Void> all = CompletableFuture.allOf(prepared.toArray(CompletableFuture<?>[]::new));
        return all.thenCompose(done -> {
            List<BoundStatement> parts = new ArrayList<>(alive.size());
            for (int i = 0; i < alive.size(); i++) {
                PreparedStatement statement = prepared.get(i).join();
                ForgottenStatements.prepareAgain(session, statement); // decided long ago, whatever the table is now
                parts.add(bound(statement, alive.get(i), now));
            }
            Statement<?> statement = statement(entry, parts);
            TransactionalTableException.check(session.getContext(), statement);
            return session.executeAsync(statement);
        });
    }

    private CompletableFuture<PreparedStatement> prepared(BacklogEntry.Part kept) {
        PreparedStatement known = held(kept.cql());
        return known != null
                ? CompletableFuture.completedFuture(known)
                : session.prepareAsync(SimpleStatement.newInstance(kept.cql()))
                        .thenApply(statement -> {
                            hold(statement);
                            return statement;
                        })
                        .toCompletableFuture();
    }

    private Statement<?> statement(BacklogEntry entry, List<BoundStatement> parts) {
        Statement<?> statement = entry.batch() == null
                ? parts.get(0)
                : BatchStatement.newInstance(entry.batch(), parts.toArray(BoundStatement[]::new));
        return statement
                .setQueryTimestamp(entry.timestamp())
                .setConsistencyLevel(DefaultConsistencyLevel.valueOf(entry.consistency()))
                .setIdempotent(true);
    }

    private static BoundStatement bound(PreparedStatement prepared, BacklogEntry.Part kept, Instant now) {
        BoundStatementBuilder bound = prepared.boundStatementBuilder();
        for (int i = 0; i < kept.values().size(); i++) {
            BacklogEntry.Value value = kept.values().get(i);
            byte[] bytes = i == kept.ttl() && kept.expires() != null ? left(kept.expires(), now) : value.bytes();
            ByteBuffer buffer = bytes == null ? null : ByteBuffer.wrap(bytes);
            if (value.isSet()) {
                bound = bound.setBytesUnsafe(i, buffer);
            }
        }
        return bound.build();
    }

    /** The seconds that are left, at least one. */
    private static byte[] left(Instant expires, Instant now) {
        long seconds =
                Math.max(1, Duration.between(now, expires).plusMillis(999).toSeconds());
        return ByteBuffer.allocate(Integer.BYTES)
                .putInt(Math.toIntExact(seconds))
                .array();
    }
}
