package io.surewrite.backlog;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.cql.UnknownOutcomeException;
import io.surewrite.cql.WriteReceipt;
import io.surewrite.cql.WriteScope;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The backlog over a store. */
final class StoredWriteBacklog implements CloseableWriteBacklog {

    private final EntryMaker maker;
    private final HeldStatements held;
    private final BacklogStore store;
    private final Replay replay;
    private final BacklogListener listener;
    private final LongSupplier timestamps;

    StoredWriteBacklog(
            EntryMaker maker,
            HeldStatements held,
            BacklogStore store,
            Replay replay,
            BacklogListener listener,
            LongSupplier timestamps) {
        this.maker = maker;
        this.held = held;
        this.store = store;
        this.replay = replay;
        this.listener = listener;
        this.timestamps = timestamps;
    }

    @Override
    public WriteReceipt put(String operation, Statement<?> statement) {
        WriteScope scope = WriteScope.current();
        return result(keep(operation, scope == null ? timestamps.getAsLong() : scope.timestamp(), statement));
    }

    @Override
    public CompletableFuture<WriteReceipt> keep(String operation, long decided, Statement<?> statement) {
        byte[] body;
        try {
            body = EntryCodec.encode(maker.entry(operation, decided, statement));
        } catch (RuntimeException refused) {
            listener.notKept(operation, refused);
            return CompletableFuture.failedFuture(refused);
        }
        Instant at = BacklogEntry.instant(decided);
        return store.put(at, body).handle((id, failure) -> {
            if (failure == null) {
                listener.kept(operation);
                replay.entryAdded();
                return WriteReceipt.KEPT;
            }
            listener.notKept(operation, failure);
            throw new CompletionException(outcome(operation, failure));
        });
    }

    private static Throwable outcome(String operation, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof UnconfirmedException
                ? new UnknownOutcomeException(operation + ": it may be kept and done, now or after a restart", cause)
                : cause;
    }

    @Override
    public void remember(PreparedStatement statement) {
        held.hold(statement);
    }

    @Override
    public @Nullable PreparedStatement recall(String cql) {
        return held.find(cql);
    }

    @Override
    public BacklogSize size() {
        return store.size();
    }

    @Override
    public @Nullable BacklogException failure() {
        return store.failure();
    }

    @Override
    public void replay() {
        replay.wake();
    }

    @Override
    public List<DeadLetter> deadLetters(long after, int limit) {
        return result(store.deadLetters(after, limit)).stream()
                .map(DeadLetters::show)
                .toList();
    }

    @Override
    public int replayDeadLetters(List<Long> ids) {
        int revived = result(store.revive(ids));
        replay.wake();
        return revived;
    }

    @Override
    public int discardDeadLetters(List<Long> ids) {
        return result(store.discard(ids));
    }

    private static <T> T result(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
        }
    }

    @Override
    public void close() {
        replay.close();
        store.close();
    }
}
