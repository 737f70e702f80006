package io.surewrite.internal.lwt;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.write.AttemptNotes;
import io.surewrite.write.ConditionalWrite;
import io.surewrite.write.FailureKind;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteFailures;
import io.surewrite.write.WriteOutcome;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One conditional statement of a call that is retried, from its first run until it is known what became of it. A refusal counts
 * for another's only if no earlier run can have been applied, or if the row tells.
 */
class Settlement {

    private final SettlingConditionalWrites writes;
    private final AttemptNotes notes;
    private final Supplier<Ours> ours;
    private final Function<Row, @Nullable Shown> shown;
    private final Supplier<CompletionStage<Optional<Shown>>> look;

    /** Whether an earlier run may have been applied. */
    private volatile boolean unclear;

    /**
     * What the statement would have made of its row.
     *
     * @param underOwnId whether it inserts a row under an id that no other call can know
     * @param from the version that the condition wants
     */
    record Ours(
            String table,
            boolean deletes,
            @Nullable ByteBuffer writeId,
            boolean underOwnId,
            @Nullable Long from,
            @Nullable Long to) {}

    /** What a row shows: who wrote it last, and how often it was written. */
    record Shown(@Nullable ByteBuffer writeId, @Nullable Long version) {}

    /** What became of it, and the row that refused it. */
    record End(boolean applied, @Nullable Row row) {}

    /** Whose write it was that a row shows, in the place of what the condition wanted. */
    enum Whose {
        OURS,
        ANOTHERS,
        UNDECIDED
    }

    /**
     * @param ours is asked only if an answer was lost: most writes never need it
     * @param shown what a row of an answer shows; null if it does not say enough
     * @param look asks the row itself, after all that was decided before
     */
    Settlement(
            SettlingConditionalWrites writes,
            AttemptNotes notes,
            Supplier<Ours> ours,
            Function<Row, @Nullable Shown> shown,
            Supplier<CompletionStage<Optional<Shown>>> look) {
        this.writes = writes;
        this.notes = notes;
        this.ours = ours;
        this.shown = shown;
        this.look = look;
        this.unclear = notes.isRepetition();
    }

    /** The notes know what is sent by the second statement. */
    CompletionStage<End> settle(Statement<?> sent, Statement<?> statement) {
        ConditionalWrite write = new ConditionalWrite(sent, row -> isOurs(shown.apply(row)));
        return writes.through(this::run)
                .execute(write, left())
                .handle((outcome, wrong) -> {
                    if (wrong != null) {
                        notes.failed(statement, DriverFailures.unwrapped(wrong));
                        return CompletableFuture.<End>failedFuture(DriverFailures.unwrapped(wrong));
                    }
                    return ended(statement, outcome);
                })
                .thenCompose(end -> end);
    }

    private CompletionStage<AsyncResultSet> run(Statement<?> statement) {
        notes.requireWanted();
        return writes.session().apply(statement).whenComplete((answer, failure) -> {
            // Before the one who waits for it decides.
            unclear |= failure != null
                    && WriteFailures.ofSentConditional(DriverFailures.unwrapped(failure)) != FailureKind.NOT_APPLIED;
        });
    }

    private CompletionStage<End> ended(Statement<?> statement, WriteOutcome outcome) {
        if (outcome instanceof WriteOutcome.Failed failed) {
            notes.settled(statement, false);
            return CompletableFuture.failedFuture(failed.cause());
        }
        if (outcome instanceof WriteOutcome.Applied) {
            return settled(statement, new End(true, null));
        }
        Row refusing = outcome instanceof WriteOutcome.Rejected rejected ? rejected.row() : null;
        if (outcome instanceof WriteOutcome.Rejected && !isUnclear()) {
            return settled(statement, new End(false, refusing));
        }
        return seen(outcome, refusing)
                .handle((row, unread) -> {
                    if (unread != null) {
                        return unknown(statement, outcome.cause(), "the row could not be read", unread);
                    }
                    Shown there = row.orElse(null);
                    return switch (whose(there)) {
                        case OURS -> settled(statement, new End(true, null));
                        case ANOTHERS -> settled(statement, new End(false, refusing));
                        case UNDECIDED -> unknown(statement, outcome.cause(), told(there), null);
                    };
                })
                .thenCompose(end -> end);
    }

    private CompletionStage<Optional<Shown>> seen(WriteOutcome outcome, @Nullable Row refusing) {
        Shown enough = refusing == null ? null : shown.apply(refusing);
        boolean isGone = outcome instanceof WriteOutcome.Rejected && refusing == null;
        return enough != null || isGone ? CompletableFuture.completedFuture(Optional.ofNullable(enough)) : read(1);
    }

    /** Until it is answered, or no time is left. */
    private CompletionStage<Optional<Shown>> read(int attempt) {
        return look.get()
                .handle((row, unread) -> {
                    if (unread == null) {
                        return CompletableFuture.completedFuture(row);
                    }
                    Duration wait = SettlingConditionalWrites.BACKOFF.afterFailures(attempt, writes.random());
                    if (left().compareTo(wait) <= 0) {
                        return CompletableFuture.<Optional<Shown>>failedFuture(DriverFailures.unwrapped(unread));
                    }
                    return CompletableFuture.runAsync(
                                    notes::requireWanted, writes.delays().apply(wait))
                            .thenCompose(wanted -> read(attempt + 1));
                })
                .thenCompose(row -> row);
    }

    private CompletionStage<End> settled(Statement<?> statement, End end) {
        notes.settled(statement, end.applied());
        return CompletableFuture.completedFuture(end);
    }

    private CompletionStage<End> unknown(
            Statement<?> statement, @Nullable Throwable cause, String row, @Nullable Throwable unread) {
        String fix = ours.get().writeId() != null || ours.get().deletes()
                ? ""
                : ". Fix: let each write set a column to an id of its own, by a @WriteId UUID of the entity, so that the row tells";
        UnknownOutcomeException unknown = new UnknownOutcomeException(
                "Whether a conditional write of table %s took effect is not known: an answer was lost, and %s. Read the row and decide again%s"
                        .formatted(ours.get().table(), row, fix),
                cause);
        if (unread != null) {
            unknown.addSuppressed(unread);
        }
        notes.failed(statement, unknown);
        return CompletableFuture.failedFuture(unknown);
    }

    private String told(@Nullable Shown row) {
        if (row == null || (row.version() == null && ours.get().writeId() == null)) {
            return row == null ? "the row is not there" : "the row is there";
        }
        String who = ours.get().writeId() == null ? "nobody's id" : "the id of another write";
        return row.version() == null
                ? "the row shows " + who
                : "the row shows version %d and %s".formatted(row.version(), who);
    }

    // ---- the rules, which planted bugs exchange ----

    Duration left() {
        return notes.left();
    }

    boolean isUnclear() {
        return unclear;
    }

    /** An attempt before may have written an earlier version under the same id. */
    boolean isOurs(@Nullable Shown row) {
        return row != null
                && ours.get().writeId() != null
                && ours.get().writeId().equals(row.writeId())
                && (ours.get().to() == null || ours.get().to().equals(row.version()));
    }

    /**
     * Versions only grow while the row is there. So whoever wrote the version that we would have written has won; where there is
     * a later one, we may have written before.
     */
    Whose whose(@Nullable Shown row) {
        if (row == null) {
            return Whose.UNDECIDED;
        }
        if (isOurs(row) || ours.get().underOwnId()) {
            return Whose.OURS;
        }
        if (ours.get().writeId() != null
                && row.writeId() != null
                && notes.hasMadeApart(uuid(row.writeId()), uuid(ours.get().writeId()))) {
            return Whose.UNDECIDED; // an attempt before, with other values
        }
        boolean isAnothers = ours.get().deletes()
                ? isLater(row.version(), ours.get().from())
                : ours.get().writeId() != null
                        && row.version() != null
                        && row.version().equals(ours.get().to());
        return isAnothers ? Whose.ANOTHERS : Whose.UNDECIDED;
    }

    private static UUID uuid(ByteBuffer id) {
        return id.remaining() == 2 * Long.BYTES
                ? new UUID(id.getLong(id.position()), id.getLong(id.position() + Long.BYTES))
                : new UUID(0, 0);
    }

    private static boolean isLater(@Nullable Long version, @Nullable Long than) {
        return version != null && than != null && version > than;
    }
}
