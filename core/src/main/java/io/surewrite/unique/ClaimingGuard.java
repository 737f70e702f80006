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
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
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
        this(parts, valueRows, new Outage(Clock.systemUTC()));
    }

    /** A guard with its claims in a table, which must exist when the first value is claimed. */
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
        return new ClaimingGuard(parts, constraint -> new CqlValueRows(own, prepared, constraint, null));
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

    // ---- rows ----

    /**
     * Writes a new row: one conditional write for each constraint, all at once, then the row.
     *
     * @param write the row; its primary key is fresh, made for this call, unless a constraint is on the primary key
     */
    public CompletionStage<Void> insertAsync(ConstrainedRows rows, EntityWrite write) {
        return run("insert", rows, write.owner(), call -> new RowWrite(call, write, true).run());
    }

    /** Writes a row that may exist: claims its values, writes it as a whole, and frees its old values. */
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

    /** Deletes a row and frees its values. */
    public CompletionStage<Void> deleteAsync(ConstrainedRows rows, String owner) {
        return run("delete", rows, owner, call -> new RowDeletion(call).run());
    }

    /** Finds the row that has a value: two reads at quorum, no index. */
    public CompletionStage<Optional<String>> findOwnerAsync(
            ConstrainedRows rows, UniqueConstraint constraint, UniqueValue value) {
        return findAsync(
                rows,
                constraint,
                value,
                (from, owner) -> from.read(owner)
                        .thenApply(row -> Optional.of(row)
                                .filter(WantedValue.of(constraint, value)::isCarriedBy)
                                .map(RowSnapshot::owner)));
    }

    /**
     * Finds the row that has a value: reads its claim, then the row of the claim's owner, both at quorum.
     *
     * @param read reads the row of an owner from the table, perhaps by another way; empty if it does not carry the value
     */
    public <R> CompletionStage<Optional<R>> findAsync(
            ConstrainedRows rows,
            UniqueConstraint constraint,
            UniqueValue value,
            BiFunction<ConstrainedRows, String, CompletionStage<Optional<R>>> read) {
        if (!constraint.claims(value)) {
            return Stages.done(Optional.empty()); // any number of rows may have it
        }
        GuardCall call = GuardCall.unobserved(parts, rows, "find", "");
        return Stages.then(
                call.readClaim(WantedValue.keyOf(constraint, value))
                        .thenCompose(seen -> seen.isEmpty()
                                ? Stages.done(Optional.<R>empty())
                                : call.askRows(from ->
                                        read.apply(from, seen.get().claim().owner()))),
                Stages::done,
                failure -> Stages.failed(call.unavailable(failure)));
    }

    // ---- values without an entity: each owner is a row of its own ----

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

    // ---- one call ----

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
            End end = endOf(failure);
            switch (end) {
                case UNKNOWN, UNAVAILABLE -> outage.begins();
                case SUCCEEDED, DUPLICATE, PENDING, SUPERSEDED -> outage.ends();
                case FAILED -> {
                    // The caller's own mistake says nothing of the cluster.
                }
            }
            if (call.timestamp() != RowSnapshot.NEVER) {
                observed.with("timestamp", call.timestamp());
            }
            if (failure == null) {
                observed.stop("succeeded");
                ended.complete(null);
            } else {
                observed.failed(failure);
                observed.stopFailed(Observed.lowerCase(end));
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

    /** How a call ends, as an outcome. */
    private enum End {
        SUCCEEDED,
        DUPLICATE,
        PENDING,
        SUPERSEDED,
        UNAVAILABLE,
        UNKNOWN,
        FAILED
    }

    private static End endOf(@Nullable Throwable failure) {
        if (failure == null) {
            return End.SUCCEEDED;
        }
        if (failure instanceof DuplicateValueException) {
            return End.DUPLICATE;
        }
        if (failure instanceof ClaimPendingException) {
            return End.PENDING;
        }
        if (failure instanceof SupersededException) {
            return End.SUPERSEDED;
        }
        if (failure instanceof ClaimsUnavailableException) {
            return End.UNAVAILABLE;
        }
        return failure instanceof UnknownOutcomeException ? End.UNKNOWN : End.FAILED;
    }
}
