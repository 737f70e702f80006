package io.surewrite.internal.lwt;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.internal.lwt.Settlement.Ours;
import io.surewrite.internal.lwt.Settlement.Shown;
import io.surewrite.internal.lwt.Settlement.Whose;
import io.surewrite.internal.lwt.SimConditions.Request;
import io.surewrite.internal.lwt.SimConditions.State;
import io.surewrite.write.AttemptNotes;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A bug, planted by exchanging a rule of {@link Settlement}, that the simulation must notice. */
enum PlantedConditionBug {
    /** Nothing: the code as it ships. */
    NOTHING,

    /** The version that we would have written is ours, whoever wrote it. */
    VERSION_COMPARED_ALONE,

    /** A row with our id is ours, whichever version an attempt before has given it. */
    VERSION_NOT_COMPARED,

    /** What the call has written is taken for another's. */
    OWN_WRITE_TAKEN_FOR_ANOTHERS,

    /** A refusal after a lost answer is believed. */
    REFUSAL_BELIEVED,

    /** What attempts before may have written does not count. */
    EARLIER_ATTEMPTS_FORGOTTEN,

    /** A call that gives up counts as failed, though a run may still arrive. */
    LATE_RUN_COUNTED_AS_FAILED,

    /** A lost answer counts as one that says that nothing was done. */
    LOSS_COUNTED_AS_REFUSAL,

    /** A later version is another's, though ours may lie below. */
    LATER_VERSION_COUNTED_AS_ANOTHERS,

    /** A row that is gone was deleted by us. */
    GONE_ROW_COUNTED_AS_DELETED,

    /** An inserted row is ours, though others know its id. */
    ANY_INSERTED_ROW_COUNTED_AS_OURS,

    /** All calls have one write id. */
    WRITE_ID_OF_ALL_CALLS,

    /** Each attempt has a write id of its own. */
    WRITE_ID_OF_AN_ATTEMPT,

    /** After a lost answer the row is read, and its next version written. */
    NEXT_VERSION_WRITTEN_INSTEAD;

    private static final UUID ALWAYS = new UUID(0, 1);
    private static final AtomicLong LAST = new AtomicLong();

    /** The write id of an attempt. */
    UUID writeId(AttemptNotes notes) {
        return switch (this) {
            case WRITE_ID_OF_ALL_CALLS -> ALWAYS;
            case WRITE_ID_OF_AN_ATTEMPT -> new UUID(1, LAST.incrementAndGet());
            default -> notes.nextWriteId("the row");
        };
    }

    /** What is sent in a run after the first. */
    Request again(Request request, Optional<State> row) {
        return this == NEXT_VERSION_WRITTEN_INSTEAD && row.isPresent() && request.seen() != null
                ? new Request(request.form(), request.write(), row.get(), request.writeId(), request.underOwnId())
                : request;
    }

    /** How a run without an answer fails. */
    RuntimeException failure() {
        return this == LOSS_COUNTED_AS_REFUSAL ? SimConditions.tooFew() : new DriverTimeoutException("no answer");
    }

    Settlement settlement(
            SettlingConditionalWrites writes,
            AttemptNotes notes,
            Ours ours,
            Function<Row, @Nullable Shown> shown,
            Supplier<CompletionStage<Optional<Shown>>> look,
            Supplier<Duration> left,
            BooleanSupplier isLost) {
        return new Settlement(writes, notes, () -> ours, shown, look) {
            @Override
            Duration left() {
                return left.get();
            }

            @Override
            boolean isUnclear() {
                return switch (PlantedConditionBug.this) {
                    case REFUSAL_BELIEVED -> false;
                    case EARLIER_ATTEMPTS_FORGOTTEN -> isLost.getAsBoolean();
                    default -> super.isUnclear();
                };
            }

            @Override
            boolean isOurs(@Nullable Shown row) {
                return switch (PlantedConditionBug.this) {
                    case VERSION_COMPARED_ALONE ->
                        row != null && row.version() != null && row.version().equals(ours.to());
                    case VERSION_NOT_COMPARED ->
                        row != null && ours.writeId() != null && ours.writeId().equals(row.writeId());
                    default -> super.isOurs(row);
                };
            }

            @Override
            Whose whose(@Nullable Shown row) {
                if (PlantedConditionBug.this == OWN_WRITE_TAKEN_FOR_ANOTHERS && super.isOurs(row)) {
                    return Whose.ANOTHERS;
                }
                Whose whose = super.whose(row);
                return whose == Whose.UNDECIDED ? undecided(row) : whose;
            }

            private Whose undecided(@Nullable Shown row) {
                return switch (PlantedConditionBug.this) {
                    case LATE_RUN_COUNTED_AS_FAILED -> Whose.ANOTHERS;
                    case LATER_VERSION_COUNTED_AS_ANOTHERS ->
                        row != null && row.version() != null && ours.to() != null && row.version() > ours.to()
                                ? Whose.ANOTHERS
                                : Whose.UNDECIDED;
                    case GONE_ROW_COUNTED_AS_DELETED -> row == null && ours.deletes() ? Whose.OURS : Whose.UNDECIDED;
                    case ANY_INSERTED_ROW_COUNTED_AS_OURS ->
                        row != null && ours.from() == null && !ours.deletes() && ours.to() != null
                                ? Whose.OURS
                                : Whose.UNDECIDED;
                    default -> Whose.UNDECIDED;
                };
            }
        };
    }
}
