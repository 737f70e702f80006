package io.surewrite.backlog;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import io.surewrite.cql.FailureKind;
import io.surewrite.cql.WriteFailures;
import io.surewrite.cql.session.DriverFailures;
import io.surewrite.schema.GcGrace;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What becomes of one entry when it is its turn. */
final class EntryReplay {

    private static final Logger log = LoggerFactory.getLogger(EntryReplay.class);

    private final AtomicLong quietUntil = new AtomicLong(System.nanoTime());
    private final String name;
    private final Predicate<String> mine;
    private final CqlSession session;
    private final EntrySender sender;
    private final BacklogStore store;
    private final Removals removals;
    private final BacklogSettings settings;
    private final BacklogListener listener;
    private final Clock clock;

    /**
     * @param mine whether an entry for the session of a name is this one's: the primary one takes those of sessions that are
     *     not there, and gives them up
     */
    EntryReplay(
            BacklogSession own,
            Predicate<String> mine,
            HeldStatements held,
            BacklogStore store,
            BacklogSettings settings,
            BacklogListener listener,
            Clock clock) {
        this.name = own.name();
        this.mine = mine;
        this.session = own.session();
        this.sender = new EntrySender(session, held);
        this.store = store;
        this.removals = new Removals(store);
        this.settings = settings;
        this.listener = listener;
        this.clock = clock;
    }

    /** What became of an entry's turn. */
    enum Outcome {
        /** The cluster answered: it is done, or dead. */
        ANSWERED,
        /** It waits no longer, and the cluster was not asked. */
        GONE,
        /** The cluster could not do it, or no answer came: it waits for the next time. */
        FAILED,
        /**
         * The cluster says that the session may not write this. It does so too while it cannot read who may, so the entry
         * waits for the next time, and is not counted as failed.
         */
        UNAUTHORIZED
    }

    /**
     * An entry's turn.
     *
     * @param entry the entry
     * @param outcome what became of it
     * @param detail what failed, or empty
     */
    record Turn(StoredEntry entry, Outcome outcome, String detail) {}

    /** Does the entry, or gives it up; the future never fails. */
    CompletableFuture<Turn> run(StoredEntry stored) {
        BacklogEntry entry;
        try {
            entry = EntryCodec.decode(stored.body());
        } catch (BacklogException unreadable) {
            return gone(stored, bury(stored, DeadLetter.Reason.UNUSABLE, String.valueOf(unreadable.getMessage())));
        }
        String elsewhere = whyElsewhere(entry);
        if (elsewhere != null) {
            return gone(stored, bury(stored, DeadLetter.Reason.UNUSABLE, elsewhere));
        }
        Instant now = clock.instant();
        if (isTooOld(entry, now)) {
            return gone(
                    stored,
                    bury(
                            stored,
                            DeadLetter.Reason.TOO_OLD,
                            "decided %s, it was useful until %s: later it could bring deleted data back. Instead, decide anew"
                                    .formatted(stored.decided(), entry.usefulUntil())));
        }
        if (entry.alive(now).isEmpty()) {
            listener.expired(entry.operation());
            return gone(stored, store.remove(List.of(stored)));
        }
        return sender.send(entry, now)
                .handle((answer, failure) ->
                        failure == null ? done(stored, entry, now) : failed(stored, cause(failure)))
                .toCompletableFuture();
    }

    /** Whether the entry is for this session, or for none that is there. */
    boolean isMine(StoredEntry stored) {
        return mine.test(EntryCodec.session(stored.body()));
    }

    /** Why the entry must not be done here, or null if this is where it belongs. */
    private @Nullable String whyElsewhere(BacklogEntry entry) {
        if (!entry.session().isEmpty() && !entry.session().equals(name)) {
            return "it was kept for the session '%s', and there is none of that name. Instead, name the bean of its session so, and replay it"
                    .formatted(entry.session());
        }
        String cluster = session.getMetadata().getClusterName().orElse("");
        if (!entry.cluster().isEmpty() && !cluster.isEmpty() && !entry.cluster().equals(cluster)) {
            return "it was kept for the cluster '%s', and the session '%s' is connected to '%s'. Instead, replay it with the right one"
                    .formatted(entry.cluster(), name, cluster);
        }
        String keyspace = session.getKeyspace().map(CqlIdentifier::asInternal).orElse("");
        return entry.keyspace().equals(keyspace)
                ? null
                : "it was kept for keyspace '%s', and the session's is '%s'. Instead, replay it with the right one"
                        .formatted(entry.keyspace(), keyspace);
    }

    private Turn done(StoredEntry stored, BacklogEntry entry, Instant now) {
        listener.replayed(entry.operation(), Duration.between(stored.decided(), now));
        removals.add(stored);
        return new Turn(stored, Outcome.ANSWERED, "");
    }

    private Turn failed(StoredEntry stored, Throwable failure) {
        String detail = "%s: %s".formatted(failure.getClass().getSimpleName(), failure.getMessage());
        if (DriverFailures.isUnauthorized(failure)) {
            warnOfRights(detail);
            return new Turn(stored, Outcome.UNAUTHORIZED, detail);
        }
        if (WriteFailures.ofPlain(failure) == FailureKind.WRONG_STATEMENT
                || failure instanceof IllegalArgumentException) {
            Removals.warnIfFailed(bury(
                    stored,
                    DeadLetter.Reason.REJECTED,
                    detail + ". Instead, mend the schema or the rights and replay it, or discard it"));
            return new Turn(stored, Outcome.ANSWERED, detail);
        }
        return new Turn(stored, Outcome.FAILED, detail);
    }

    private void warnOfRights(String detail) {
        long now = System.nanoTime();
        long quiet = quietUntil.get();
        if (now - quiet >= 0 && quietUntil.compareAndSet(quiet, now + TimeUnit.MINUTES.toNanos(1))) {
            log.warn(
                    "Kept writes wait until the cluster lets this session write them, or they are too old. {}", detail);
        }
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Notes what is done and not noted yet. */
    void flush() {
        removals.flush();
    }

    /** Others succeeded after it had failed. */
    void countFailure(Turn turn) {
        StoredEntry stored = turn.entry();
        if (stored.attempts() + 1 < settings.maxAttempts()) {
            Removals.warnIfFailed(store.failed(stored));
        } else {
            Removals.warnIfFailed(bury(
                    stored,
                    DeadLetter.Reason.EXHAUSTED,
                    turn.detail()
                            + ". It failed %d times while others succeeded. Instead, find out why and replay it"
                                    .formatted(stored.attempts() + 1)));
        }
    }

    /** A table's grace may have become shorter meanwhile. */
    private boolean isTooOld(BacklogEntry entry, Instant now) {
        Metadata metadata = session.getMetadata();
        Age age = new Age(entry.timestamp());
        for (KeptStatement statement : entry.statements()) {
            for (KeptStatement.Table table : statement.tables()) {
                metadata.getKeyspace(table.keyspace())
                        .flatMap(keyspace -> keyspace.getTable(table.name()))
                        .ifPresent(known -> age.atMost(GcGrace.of(known)));
            }
        }
        Instant asOfNow = age.usefulUntil(settings.graceMargin());
        return now.isAfter(entry.usefulUntil()) || (asOfNow != null && now.isAfter(asOfNow));
    }

    private CompletableFuture<Void> bury(StoredEntry stored, DeadLetter.Reason reason, String detail) {
        StoredDeadLetter letter = new StoredDeadLetter(stored, clock.instant(), reason, detail);
        return store.bury(letter).thenRun(() -> listener.died(DeadLetters.show(letter)));
    }

    /** What the disk does not take stays an entry, and its turn comes again. */
    private static CompletableFuture<Turn> gone(StoredEntry stored, CompletableFuture<Void> noted) {
        Removals.warnIfFailed(noted);
        return noted.handle((done, failure) ->
                new Turn(stored, failure == null ? Outcome.GONE : Outcome.FAILED, "the disk did not take it"));
    }
}
