package io.surewrite.unique;

import io.surewrite.cql.UnknownOutcomeException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The guard by claims: finds the steps for each operation, and tells how it ended. */
final class ClaimingGuard implements UniqueGuard {

    private static final Executor AT_ONCE = Runnable::run;

    private final GuardParts parts;
    private final Function<UniqueConstraint, ValueRows> valueRows;

    /**
     * @param valueRows the table of values that are no columns, for one constraint
     */
    ClaimingGuard(GuardParts parts, Function<UniqueConstraint, ValueRows> valueRows) {
        this.parts = parts;
        this.valueRows = valueRows;
    }

    @Override
    public void insert(ConstrainedRows rows, EntityWrite write) {
        await(write, steps -> insert(rows, write, steps));
    }

    @Override
    public CompletionStage<Void> insertAsync(ConstrainedRows rows, EntityWrite write) {
        return insert(rows, write, AT_ONCE);
    }

    private CompletionStage<Void> insert(ConstrainedRows rows, EntityWrite write, Executor steps) {
        return run("insert", rows, write.owner(), steps, call -> {
            List<Target> targets = Values.targets(rows, write, true);
            boolean keyMayBeUsed = targets.stream().anyMatch(Target::decidesOwner);
            call.pinFirst(RowSnapshot.NEVER);
            return new GuardedWrite(call, write, new ClaimSet(call, targets), List.of(), keyMayBeUsed).run();
        });
    }

    @Override
    public void change(ConstrainedRows rows, EntityWrite write) {
        await(write, steps -> change("change", rows, write, false, steps));
    }

    @Override
    public CompletionStage<Void> changeAsync(ConstrainedRows rows, EntityWrite write) {
        return change("change", rows, write, false, AT_ONCE);
    }

    @Override
    public void overwrite(ConstrainedRows rows, EntityWrite write) {
        await(write, steps -> change("overwrite", rows, write, true, steps));
    }

    @Override
    public CompletionStage<Void> overwriteAsync(ConstrainedRows rows, EntityWrite write) {
        return change("overwrite", rows, write, true, AT_ONCE);
    }

    private CompletionStage<Void> change(
            String operation, ConstrainedRows rows, EntityWrite write, boolean whole, Executor steps) {
        return run(operation, rows, write.owner(), steps, call -> new ChangeCall(call, write, whole).run());
    }

    @Override
    public void delete(ConstrainedRows rows, String owner) {
        Failures.join(deleteAsync(rows, owner).toCompletableFuture());
    }

    @Override
    public CompletionStage<Void> deleteAsync(ConstrainedRows rows, String owner) {
        return delete(rows, owner, AT_ONCE);
    }

    private CompletionStage<Void> delete(ConstrainedRows rows, String owner, Executor steps) {
        return run("delete", rows, owner, steps, call -> new DeleteCall(call).run());
    }

    @Override
    public Optional<String> findOwner(ConstrainedRows rows, UniqueConstraint constraint, @Nullable Object... value) {
        return Failures.join(findOwnerAsync(rows, constraint, constraint.value(Arrays.asList(value)))
                .toCompletableFuture());
    }

    @Override
    public CompletionStage<Optional<String>> findOwnerAsync(
            ConstrainedRows rows, UniqueConstraint constraint, UniqueValue value) {
        Target target = Target.of(constraint, value, false);
        GuardCall call = GuardCall.unheard(parts, rows, "findOwner", "");
        return call.readClaim(target.key())
                .thenCompose(seen -> {
                    if (seen.isEmpty()) {
                        return All.done(Optional.<String>empty());
                    }
                    String owner = seen.get().claim().owner();
                    return call.read(owner)
                            .thenApply(row -> target.isCarriedBy(row) ? Optional.of(owner) : Optional.<String>empty());
                })
                .exceptionallyCompose(
                        failure -> CompletableFuture.failedFuture(call.unavailable(Failures.unwrap(failure))));
    }

    @Override
    public void claim(UniqueConstraint constraint, String owner, @Nullable Object... value) {
        ValueRows rows = valueRows.apply(constraint);
        EntityWrite write = valueOf(rows, constraint, owner, constraint.value(Arrays.asList(value)));
        await(write, steps -> change("claim", rows, write, false, steps));
    }

    @Override
    public CompletionStage<Void> claimAsync(UniqueConstraint constraint, String owner, UniqueValue value) {
        ValueRows rows = valueRows.apply(constraint);
        return change("claim", rows, valueOf(rows, constraint, owner, value), false, AT_ONCE);
    }

    private static EntityWrite valueOf(ValueRows rows, UniqueConstraint constraint, String owner, UniqueValue value) {
        if (!constraint.claims(value)) {
            throw new UnclaimableValueException(constraint, "is null, which the constraint does not claim");
        }
        return rows.write(owner, value);
    }

    @Override
    public void release(UniqueConstraint constraint, String owner) {
        delete(valueRows.apply(constraint), owner);
    }

    @Override
    public CompletionStage<Void> releaseAsync(UniqueConstraint constraint, String owner) {
        return deleteAsync(valueRows.apply(constraint), owner);
    }

    @Override
    public Optional<String> findOwner(UniqueConstraint constraint, @Nullable Object... value) {
        return findOwner(valueRows.apply(constraint), constraint, value);
    }

    /** Steps that do not need the caller's thread run where the answers come: two changes of threads less for each. */
    private static void await(EntityWrite write, Function<Executor, CompletionStage<Void>> call) {
        if (write.needsCallersThread()) {
            CallerSteps steps = new CallerSteps();
            steps.await(call.apply(steps));
        } else {
            // An interrupt does not end it, but stays.
            Failures.join(call.apply(AT_ONCE).toCompletableFuture());
        }
    }

    private CompletionStage<Void> run(
            String operation,
            ConstrainedRows rows,
            String owner,
            Executor steps,
            Function<GuardCall, CompletionStage<Void>> begin) {
        UniqueListener.Call heard = parts.listener().begun(operation);
        GuardCall call = new GuardCall(parts, rows, operation, owner, steps, heard);
        CompletableFuture<Void> ended = new CompletableFuture<>();
        started(call, begin).whenComplete((done, thrown) -> {
            Throwable failure = thrown == null ? null : Failures.unwrap(thrown);
            call.noteEnd(failure);
            try {
                UniqueListener.End end = endOf(failure);
                parts.listener().ended(operation, end, Duration.ofNanos(call.waited()));
                heard.ended(end);
            } finally {
                // Whatever happens: the caller waits for it.
                if (failure == null) {
                    ended.complete(null);
                } else {
                    ended.completeExceptionally(failure);
                }
            }
        });
        return ended;
    }

    /** What is wrong with a value shows before anything is sent. */
    private static CompletionStage<Void> started(GuardCall call, Function<GuardCall, CompletionStage<Void>> begin) {
        try {
            call.parts().time().ofWrites().require(call.operation());
            call.noteBegin();
            return begin.apply(call);
        } catch (RuntimeException wrong) {
            return CompletableFuture.failedFuture(wrong);
        }
    }

    private static UniqueListener.End endOf(@Nullable Throwable failure) {
        if (failure == null) {
            return UniqueListener.End.SUCCEEDED;
        }
        if (failure instanceof DuplicateValueException) {
            return UniqueListener.End.DUPLICATE;
        }
        if (failure instanceof ClaimPendingException) {
            return UniqueListener.End.PENDING;
        }
        if (failure instanceof SupersededException) {
            return UniqueListener.End.SUPERSEDED;
        }
        if (failure instanceof ClaimsUnavailableException) {
            return UniqueListener.End.UNAVAILABLE;
        }
        return failure instanceof UnknownOutcomeException ? UniqueListener.End.UNKNOWN : UniqueListener.End.FAILED;
    }
}
