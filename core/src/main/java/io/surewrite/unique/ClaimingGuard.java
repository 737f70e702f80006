package io.surewrite.unique;

import com.datastax.oss.driver.api.core.CqlSession;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.internal.lwt.ConditionalProfile;
import io.surewrite.internal.lwt.SerialConsistencyRow;
import io.surewrite.internal.observe.Observed;
import io.surewrite.internal.observe.Outage;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.internal.session.Prepared;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.Internal;
import io.surewrite.write.UnknownOutcomeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The guard: values without an entity, and rows. It writes rows so that at any time at most one row, visible at quorum,
 * carries a value of a constraint. Every writer of the constrained columns must go through a guard.
 *
 * <p>The operations on rows make the promises of {@link UniqueGuard}, and throw what its operations throw. Their steps run
 * where the requests' answers come; a blocking method waits for them.
 */
@Internal
public record ClaimingGuard(GuardParts parts, Function<UniqueConstraint, CqlValueRows> valueRows, Outage outage)
        implements UniqueGuard {

    public ClaimingGuard(GuardParts parts, Function<UniqueConstraint, CqlValueRows> valueRows) {
        this(parts, valueRows, new Outage());
    }

    public static ClaimingGuard on(
            CqlSession session,
            ConditionalWrites writes,
            String claims,
            String values,
            UniqueSettings settings,
            ObservationRegistry observations) {
        CqlSession own = ConditionalProfile.DEFAULT.on(session);
        GuardParts parts =
                GuardParts.of(own, new CassandraClaimStore(own, writes, claims, settings), settings, observations);
        Prepared prepared = new Prepared(own, values);
        return new ClaimingGuard(parts, constraint -> new CqlValueRows(prepared, constraint));
    }

    /**
     * Makes sure that every process that writes a table of claims has lightweight transactions decided at the same level,
     * {@code SERIAL} or {@code LOCAL_SERIAL}. A row of the table remembers it. Without a clear answer of the cluster it
     * warns and returns.
     */
    public static void requireOneSerialConsistency(
            CqlSession session, ConditionalWrites writes, String table, Duration timeout) {
        new SerialConsistencyRow(
                        table,
                        "INSERT INTO %s (constraint_name, value, owner) VALUES ('%s', 'level', ?) IF NOT EXISTS"
                                .formatted(table, SerialConsistencyRow.NAME),
                        "owner",
                        "constraint_name = '%s' AND value = 'level'".formatted(SerialConsistencyRow.NAME),
                        "two rows could have one value")
                .require(session, writes, timeout);
    }

    /** Writes a new row, whose primary key was made for this call, unless a constraint is on that. */
    public CompletionStage<Void> insertAsync(ConstrainedRows rows, EntityWrite write) {
        return run("insert", rows, write.owner(), call -> new RowWrite(call, write, true).run());
    }

    /** Writes a row that may exist. */
    public CompletionStage<Void> changeAsync(ConstrainedRows rows, EntityWrite write) {
        return write("change", rows, write);
    }

    /** Writes a row over what was there, as {@link #changeAsync} does: its write deletes that one tick before. */
    public CompletionStage<Void> overwriteAsync(ConstrainedRows rows, EntityWrite write) {
        return write("overwrite", rows, write);
    }

    private CompletionStage<Void> write(String operation, ConstrainedRows rows, EntityWrite write) {
        return run(operation, rows, write.owner(), call -> new RowWrite(call, write, false).run());
    }

    public CompletionStage<Void> deleteAsync(ConstrainedRows rows, String owner) {
        return run("delete", rows, owner, call -> new RowDeletion(call).run());
    }

    public CompletionStage<Optional<String>> findOwnerAsync(
            ConstrainedRows rows, UniqueConstraint constraint, UniqueValue value) {
        return findAsync(
                rows,
                constraint,
                value,
                owner -> rows.read(owner)
                        .thenApply(row -> Optional.of(row)
                                .filter(WantedValue.of(constraint, value)::isCarriedBy)
                                .map(RowSnapshot::owner)));
    }

    /** Reads the value's claim, and then the row of the claim's owner, which is empty if it does not carry the value. */
    public <R> CompletionStage<Optional<R>> findAsync(
            ConstrainedRows rows,
            UniqueConstraint constraint,
            UniqueValue value,
            Function<String, CompletionStage<Optional<R>>> read) {
        if (!constraint.claims(value)) {
            return Stages.done(Optional.empty()); // any number of rows may have it
        }
        GuardCall call = new GuardCall(parts, rows, "find", "", Observed.NONE);
        return Stages.then(
                call.readClaim(WantedValue.keyOf(constraint, value))
                        .thenCompose(seen -> seen.isEmpty()
                                ? Stages.done(Optional.<R>empty())
                                : call.repeated(
                                        () -> read.apply(seen.get().claim().owner()))),
                Stages::done,
                failure -> Stages.failed(call.unavailable(failure)));
    }

    @Override
    public void claim(UniqueConstraint constraint, String owner, @Nullable Object... value) {
        DriverFailures.joined(claimAsync(constraint, owner, constraint.value(Arrays.asList(value))));
    }

    @Override
    public CompletionStage<Void> claimAsync(UniqueConstraint constraint, String owner, UniqueValue value) {
        if (!constraint.claims(value)) {
            throw new UnclaimableValueException(constraint, "is null or blank, which the constraint does not claim");
        }
        CqlValueRows rows = valueRows.apply(constraint);
        return write("claim", rows, rows.write(owner, value));
    }

    @Override
    public void release(UniqueConstraint constraint, String owner) {
        DriverFailures.joined(releaseAsync(constraint, owner));
    }

    @Override
    public CompletionStage<Void> releaseAsync(UniqueConstraint constraint, String owner) {
        return deleteAsync(valueRows.apply(constraint), owner);
    }

    @Override
    public Optional<String> findOwner(UniqueConstraint constraint, @Nullable Object... value) {
        return DriverFailures.joined(
                findOwnerAsync(valueRows.apply(constraint), constraint, constraint.value(Arrays.asList(value))));
    }

    @Override
    public @Nullable Instant unclearSince() {
        return outage.since();
    }

    private CompletionStage<Void> run(
            String operation, ConstrainedRows rows, String owner, Function<GuardCall, CompletionStage<Void>> begin) {
        String table = rows.name();
        Observed observed =
                Observed.start(parts.observations(), "surewrite.unique", operation, table.isEmpty() ? null : table);
        GuardCall call = new GuardCall(parts, rows, operation, owner, observed);
        CompletableFuture<Void> ended = new CompletableFuture<>();
        call.cancelledIf(ended::isDone); // by a caller who has given up
        started(call, begin).whenComplete((done, thrown) -> {
            Throwable failure = thrown == null ? null : DriverFailures.unwrapped(thrown);
            call.noteEnd(failure);
            String outcome = outcomeOf(failure);
            if (outcome.equals("unknown") || outcome.equals("unavailable")) {
                outage.begins();
            } else if (!outcome.equals("failed")) { // the caller's own mistake says nothing of the cluster
                outage.ends();
            }
            if (call.timestamp() != RowSnapshot.NEVER) {
                observed.with("timestamp", call.timestamp());
            }
            observed.stop(outcome, failure);
            if (failure == null) {
                ended.complete(null);
            } else {
                ended.completeExceptionally(failure);
            }
        });
        return ended;
    }

    /** What is wrong with a value shows before anything is sent. */
    private static CompletionStage<Void> started(GuardCall call, Function<GuardCall, CompletionStage<Void>> begin) {
        try {
            call.parts.time().ofWrites().require(call.operation);
            call.noteBegin();
            return begin.apply(call);
        } catch (RuntimeException wrong) {
            return Stages.failed(wrong);
        }
    }

    private static String outcomeOf(@Nullable Throwable failure) {
        if (failure == null) {
            return "succeeded";
        }
        if (failure instanceof DuplicateValueException) {
            return "duplicate";
        }
        if (failure instanceof ClaimPendingException) {
            return "pending";
        }
        if (failure instanceof SupersededException) {
            return "superseded";
        }
        if (failure instanceof ClaimsUnavailableException) {
            return "unavailable";
        }
        return failure instanceof UnknownOutcomeException ? "unknown" : "failed";
    }
}
