package io.surewrite.backlog;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.cql.UnknownOutcomeException;
import io.surewrite.cql.WriteReceipt;
import io.surewrite.cql.WriteScope;
import io.surewrite.cql.WriteTimestamps;
import io.surewrite.cql.hold.WriteHolds;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The backlog of one session over a store that all sessions share. */
final class StoredWriteBacklog implements CloseableWriteBacklog {

    private final BacklogSession own;
    private final EntryMaker maker;
    private final HeldStatements held;
    private final BacklogStore store;
    private final Replay replay;
    private final BacklogListener listener;
    private final WriteTimestamps timestamps;

    /** Of all sessions, the primary one first. */
    private final List<StoredWriteBacklog> all;

    /**
     * The one of the first session, and those of the others.
     *
     * @param sessions at least one
     */
    StoredWriteBacklog(
            List<BacklogSession> sessions,
            BacklogStore store,
            BacklogSettings settings,
            BacklogListener listener,
            Clock clock) {
        this(sessions, 0, new ArrayList<>(), store, settings, BacklogListener.all(List.of(listener)), clock);
        for (int i = 1; i < sessions.size(); i++) {
            all.add(new StoredWriteBacklog(sessions, i, all, store, settings, this.listener, clock));
        }
    }

    private StoredWriteBacklog(
            List<BacklogSession> sessions,
            int index,
            List<StoredWriteBacklog> all,
            BacklogStore store,
            BacklogSettings settings,
            BacklogListener listener,
            Clock clock) {
        this.own = sessions.get(index);
        this.all = all;
        this.maker = new EntryMaker(own, settings.graceMargin());
        this.held = new HeldStatements();
        this.store = store;
        this.listener = listener;
        this.timestamps = WriteTimestamps.of(own.session());
        Set<String> others = sessions.stream()
                .map(BacklogSession::name)
                .filter(name -> !name.equals(own.name()))
                .collect(Collectors.toSet());
        Predicate<String> mine =
                index == 0 ? name -> !others.contains(name) : name -> own.name().equals(name);
        this.replay = new Replay(
                index == 0 ? "" : "-" + own.name(),
                store,
                new EntryReplay(own, mine, held, store, settings, listener, clock),
                settings);
        if (index == 0) {
            all.add(this);
        }
    }

    @Override
    public WriteBacklog of(@Nullable DriverContext session) {
        for (StoredWriteBacklog one : all) {
            if (one.own.session().getContext() == session) {
                return one;
            }
        }
        if (session == null && all.size() == 1) {
            return this;
        }
        return new Refusing(session);
    }

    @Override
    public WriteReceipt put(String operation, Statement<?> statement) {
        WriteHolds holds = WriteHolds.current();
        if (!holds.isEmpty()) {
            throw new BacklogRefusedException(
                    operation,
                    List.of("it is made under lease %s, and would be done later, after writes of other holders"
                            .formatted(holds)));
        }
        WriteScope scope = WriteScope.current();
        if (scope == null) {
            return result(keep(operation, timestamps.draw(), statement));
        }
        Object entry = new Object();
        scope.statements().begun(entry);
        WriteReceipt receipt;
        try {
            receipt = result(keep(operation, scope.timestamp(), statement));
        } catch (RuntimeException failure) {
            if (!(failure instanceof UnknownOutcomeException)) {
                scope.statements().withdrawn(entry);
            }
            throw failure;
        }
        scope.statements().done(entry); // whatever becomes of the rest of the logical write
        scope.statements().withdrawn(statement); // is kept and not sent, if the scope was applied to it by hand
        return receipt;
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
        all.forEach(one -> one.replay.wake());
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
        replay();
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
        all.forEach(one -> one.replay.close());
        store.close();
    }

    /** For a session that nobody could find after a restart. */
    private final class Refusing implements WriteBacklog {

        private final String reason;

        Refusing(@Nullable DriverContext session) {
            this.reason = session == null
                    ? "it is not known which of %d sessions it was sent to. Instead, send it through a template, or through ScopedCqlSession.of(session)"
                            .formatted(all.size())
                    : "the session '%s' that it was sent to is no bean. Instead, define it as a bean"
                            .formatted(session.getSessionName());
        }

        @Override
        public WriteReceipt put(String operation, Statement<?> statement) {
            return result(keep(operation, 0, statement));
        }

        @Override
        public CompletableFuture<WriteReceipt> keep(String operation, long decided, Statement<?> statement) {
            BacklogRefusedException refused = new BacklogRefusedException(operation, List.of(reason));
            listener.notKept(operation, refused);
            return CompletableFuture.failedFuture(refused);
        }

        @Override
        public BacklogSize size() {
            return StoredWriteBacklog.this.size();
        }

        @Override
        public @Nullable BacklogException failure() {
            return StoredWriteBacklog.this.failure();
        }

        @Override
        public void replay() {
            StoredWriteBacklog.this.replay();
        }

        @Override
        public List<DeadLetter> deadLetters(long after, int limit) {
            return StoredWriteBacklog.this.deadLetters(after, limit);
        }

        @Override
        public int replayDeadLetters(List<Long> ids) {
            return StoredWriteBacklog.this.replayDeadLetters(ids);
        }

        @Override
        public int discardDeadLetters(List<Long> ids) {
            return StoredWriteBacklog.this.discardDeadLetters(ids);
        }
    }
}
