package io.surewrite.backlog;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.internal.observe.Observed;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.write.Internal;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteHolds;
import io.surewrite.write.WriteReceipt;
import io.surewrite.write.WriteScope;
import io.surewrite.write.WriteTimestamps;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The backlog of one session over a store that all sessions share. It replays from the moment that it is made. */
@Internal
public final class StoredWriteBacklog implements WriteBacklog, AutoCloseable {

    /** A server takes no larger frame or mutation, unless it is told otherwise. */
    private static final int MOST_BYTES = 16 << 20;

    /** Of all sessions, the primary one first. */
    private final List<StoredWriteBacklog> all;

    private final BacklogSession own;
    private final Shelf shelf;
    private final EntrySender sender;
    private final Replay replay;

    /** Why this one keeps nothing, or null if it does: for a session that could not be found after a restart. */
    private final @Nullable String refusal;

    /** The backlog of the first session, which makes those of the others, and closes the store with itself. */
    public StoredWriteBacklog(
            List<BacklogSession> sessions,
            SqliteBacklogStore store,
            BacklogSettings settings,
            List<BacklogListener> listeners,
            ObservationRegistry observations,
            Clock clock,
            @Nullable BacklogCipher cipher) {
        this.all = new ArrayList<>(List.of(this));
        this.own = sessions.get(0);
        this.shelf = new Shelf(
                store,
                settings,
                new EntryCodec(cipher),
                new BacklogEvents(listeners, observations, store.size()),
                clock);
        this.sender = new EntrySender(own.session());
        this.refusal = null;
        List<BacklogSession> others = sessions.subList(1, sessions.size());
        this.replay = new Replay(
                "", own, name -> others.stream().noneMatch(other -> other.name().equals(name)), sender, shelf);
        others.forEach(other -> all.add(new StoredWriteBacklog(this, other, null)));
    }

    /** That of another session, or, with a reason, one that keeps nothing. */
    private StoredWriteBacklog(StoredWriteBacklog primary, BacklogSession own, @Nullable String refusal) {
        this.all = primary.all;
        this.own = own;
        this.shelf = primary.shelf;
        this.sender = new EntrySender(own.session());
        this.refusal = refusal;
        this.replay =
                refusal == null ? new Replay("-" + own.name(), own, own.name()::equals, sender, shelf) : primary.replay;
    }

    @Override
    public WriteBacklog of(@Nullable DriverContext session) {
        for (StoredWriteBacklog one : all) {
            if (one.own.session().getContext() == session) {
                return one;
            }
        }
        if (session == null && all.size() == 1) {
            return all.get(0);
        }
        String why = session == null
                ? "it is not known which of %d sessions it was sent to. Fix: send it through a template, or through ScopedCqlSession.of(session)"
                        .formatted(all.size())
                : "the session '%s' that it was sent to is no bean. Fix: define it as a bean"
                        .formatted(session.getSessionName());
        return new StoredWriteBacklog(this, own, why);
    }

    @Override
    public WriteReceipt put(String operation, Statement<?> statement) {
        WriteHolds holds = WriteHolds.current();
        if (!holds.isEmpty()) {
            throw EntryMaker.refused(
                    operation,
                    List.of("it is made under lease %s, and would be done later, after writes of other holders"
                            .formatted(holds)));
        }
        WriteScope scope = WriteScope.current();
        if (scope == null) {
            return DriverFailures.joined(
                    keep(operation, WriteTimestamps.of(own.session()).draw(), statement));
        }
        scope.notes().requireClock(WriteTimestamps.of(own.session()));
        Object entry = new Object();
        scope.statements().begun(entry);
        WriteReceipt receipt;
        try {
            receipt = DriverFailures.joined(keep(operation, scope.timestamp(), statement));
        } catch (RuntimeException | Error failure) {
            if (!(failure instanceof UnknownOutcomeException)) {
                scope.statements().withdrawn(entry);
            }
            throw failure;
        }
        scope.statements().acknowledged(entry); // whatever becomes of the rest of the logical write
        scope.statements().withdrawn(statement); // is kept and not sent, if the scope was applied to it by hand
        return receipt;
    }

    @Override
    public CompletableFuture<WriteReceipt> keep(String operation, long decided, Statement<?> statement) {
        Observed observed = Observed.start(shelf.events().observations(), "surewrite.backlog.keep", operation, null);
        BacklogEntry entry;
        byte[] body;
        try {
            if (refusal != null) {
                throw EntryMaker.refused(operation, List.of(refusal));
            }
            entry = EntryMaker.entry(own, shelf.settings().graceMargin(), operation, decided, statement);
            observed.with("timestamp", entry.timestamp());
            body = shelf.codec().encode(entry);
            if (body.length > MOST_BYTES) {
                throw EntryMaker.refused(
                        operation, List.of("its %d bytes are more than a server takes".formatted(body.length)));
            }
        } catch (RuntimeException refused) {
            shelf.events().notKept(operation, refused);
            observed.stop("refused", refused);
            return CompletableFuture.failedFuture(refused);
        }
        Instant at = BacklogEntry.instant(decided);
        return shelf.store().put(at, body).handle((id, failure) -> {
            if (failure == null) {
                shelf.events().kept(operation);
                observed.stop("kept");
                shelf.noteIfDrained();
                replay.entryAdded();
                return WriteReceipt.KEPT;
            }
            Throwable outcome = outcome(operation, failure);
            shelf.events().notKept(operation, failure);
            observed.stop(outcome instanceof UnknownOutcomeException ? "unknown" : "refused", outcome);
            throw new CompletionException(outcome);
        });
    }

    private static Throwable outcome(String operation, Throwable failure) {
        Throwable cause = DriverFailures.unwrapped(failure);
        return cause instanceof UnknownOutcomeException
                ? new UnknownOutcomeException(
                        operation + ": it may be kept and done, now or after a restart", cause.getCause())
                : cause;
    }

    @Override
    public void remember(PreparedStatement statement) {
        sender.hold(statement);
    }

    @Override
    public @Nullable PreparedStatement recall(String cql) {
        return sender.held(cql);
    }

    @Override
    public BacklogSize size() {
        return shelf.store().size();
    }

    @Override
    public @Nullable BacklogException failure() {
        return shelf.store().failure();
    }

    @Override
    public @Nullable BacklogException refusal() {
        BacklogException full = shelf.store().refusal();
        return full != null || all.stream().noneMatch(one -> one.replay.isRefused())
                ? full
                : new BacklogException(
                        BacklogException.Reason.UNAVAILABLE,
                        "The backlog could not note what became of kept writes. It tries again after each round. Fix: see the log for the cause");
    }

    @Override
    public @Nullable String lastFailure() {
        return all.stream()
                .map(one -> one.replay.lastFailure())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    @Override
    public void replay() {
        all.forEach(one -> one.replay.wake());
    }

    @Override
    public List<DeadLetter> deadLetters(long after, int limit) {
        return DriverFailures.joined(shelf.store().deadLetters(after, limit)).stream()
                .map(dead -> BacklogEntry.shown(dead, shelf.codec()))
                .toList();
    }

    @Override
    public int replayDeadLetters(List<Long> ids) {
        int revived = DriverFailures.joined(shelf.store().revive(ids));
        replay();
        return revived;
    }

    @Override
    public int discardDeadLetters(List<Long> ids) {
        return DriverFailures.joined(shelf.store().discard(ids));
    }

    @Override
    public void close() {
        all.forEach(one -> one.replay.close());
        shelf.events().closed(size());
        shelf.store().close();
    }

    /** A session whose writes may wait; the name of its bean tells also after a restart which one an entry is for. */
    public record BacklogSession(String name, CqlSession session) {}

    record Shelf(
            SqliteBacklogStore store, BacklogSettings settings, EntryCodec codec, BacklogEvents events, Clock clock) {

        /** A write may have been the last. */
        void noteIfDrained() {
            events.noteIfDrained(store.size());
        }
    }

    /**
     * How a backlog behaves.
     *
     * @param graceMargin how long before {@code gc_grace_seconds} are over a write is too old: for the clocks and the way to the server
     * @param probeInterval how long after a failure the oldest write is tried again; doubles up to the next one
     */
    public record BacklogSettings(
            Duration graceMargin, int concurrency, Duration probeInterval, Duration maxProbeInterval) {

        public static final BacklogSettings DEFAULTS =
                new BacklogSettings(Duration.ofHours(1), 32, Duration.ofMillis(100), Duration.ofSeconds(10));
    }
}
