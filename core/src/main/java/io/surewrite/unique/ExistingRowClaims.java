package io.surewrite.unique;

import io.surewrite.internal.observe.Observed;
import io.surewrite.unique.ClaimStore.Claim;
import io.surewrite.unique.ClaimStore.ClaimKey;
import io.surewrite.unique.ClaimStore.SeenClaim;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Compares the rows of a table with the claims of one constraint, one row or one claim at a time, while writers are at
 * work. A repair claims what is not claimed, and removes claims that have no row any more. A claim is made with the timestamp
 * its value was written with: a writer that changes or deletes the row meanwhile does so later, and so frees the claim. If
 * the claim comes after that, it is in no writer's way for longer than its lease.
 */
record ExistingRowClaims(
        GuardParts parts,
        ConstrainedRows rows,
        UniqueConstraint constraint,
        boolean repairs,
        Function<Twins, CompletionStage<Void>> duplicates) {

    record ScannedClaim(ClaimKey key, SeenClaim seen) {}

    /** Two rows with one value, of which the holder has the claim. */
    record Twins(String value, String holder, String other) {}

    enum Finding {
        /** A row has its claim, or has lost the value meanwhile; a claim has its row, or its writer may be at work. */
        RIGHT,
        MISSING,
        CLAIMED,
        DUPLICATE,
        /** A claim's row does not have the value, and its writer is gone; a repair makes it {@link #FREED}. */
        ORPHAN,
        FREED
    }

    /**
     * Looks whether a row has its claim. A claim that its writer may give up is none yet: it becomes the row's own, or, if
     * nothing is to be changed, is looked at again as long as its writer's lease runs.
     */
    CompletionStage<Finding> check(RowSnapshot row, UniqueValue value) {
        return check(call(row.owner()), row, WantedValue.of(constraint, value));
    }

    private CompletionStage<Finding> check(GuardCall call, RowSnapshot row, WantedValue wanted) {
        return call.readClaim(wanted.key()).thenCompose(seen -> {
            boolean claimed = covers(seen, row);
            if (claimed && (stays(seen.get(), row) || !(repairs || seen.get().reserved()))) {
                return Stages.done(Finding.RIGHT);
            }
            return call.read(call.owner).thenCompose(now -> {
                if (!wanted.isCarriedBy(now) || (claimed && stays(seen.get(), now))) {
                    return Stages.done(Finding.RIGHT);
                }
                if (claimed) {
                    return repairs ? claim(call, now, wanted, Finding.RIGHT) : again(call, row, wanted, null);
                }
                if (seen.isEmpty() || seen.get().isOf(call.owner)) {
                    return missing(call, now, wanted);
                }
                String holder = seen.get().claim().owner();
                return call.read(holder)
                        .thenCompose(theirs -> wanted.isCarriedBy(theirs)
                                ? duplicates
                                        .apply(new Twins(wanted.key().value(), holder, call.owner))
                                        .thenApply(recorded -> Finding.DUPLICATE)
                                : missing(call, now, wanted));
            });
        });
    }

    private boolean covers(Optional<SeenClaim> seen, RowSnapshot row) {
        return seen.isPresent()
                && seen.get().isOf(row.owner())
                && seen.get().claim().writeTs() >= row.writtenAt(constraint);
    }

    /** Who claimed the value at the very timestamp that it has has sent the row, and does not give the claim up. */
    private boolean stays(SeenClaim seen, RowSnapshot row) {
        return seen.claim().writeTs() == writtenAt(row);
    }

    private long writtenAt(RowSnapshot row) {
        long value = row.writtenAt(constraint);
        return value == RowSnapshot.NEVER ? row.newestWrite() : value;
    }

    private CompletionStage<Finding> missing(GuardCall call, RowSnapshot row, WantedValue wanted) {
        return repairs ? claim(call, row, wanted, Finding.CLAIMED) : Stages.done(Finding.MISSING);
    }

    /** A claim of a writer who may still give it up is joined, so that it stays. */
    private CompletionStage<Finding> claim(GuardCall call, RowSnapshot row, WantedValue wanted, Finding held) {
        long written = writtenAt(row);
        call.decideAt(written == RowSnapshot.NEVER ? parts.time().nextTimestamp() : written);
        return ClaimStep.claim(call, wanted, held == Finding.CLAIMED)
                .thenCompose(result -> result instanceof ClaimStep.Result.Held
                        ? Stages.done(held)
                        : again(
                                call,
                                row,
                                wanted,
                                result instanceof ClaimStep.Result.Unclear unclear ? unclear.cause() : null));
    }

    /** Whose patience is over has seen one writer after the other, and an audit a claim each time. */
    private CompletionStage<Finding> again(
            GuardCall call, RowSnapshot row, WantedValue wanted, @Nullable Throwable cause) {
        long pause = call.nextPause();
        long patience =
                parts.settings().timeout().plus(parts.settings().lease()).toNanos();
        if (call.waited() + pause <= patience) {
            return call.after(pause, () -> check(call, row, wanted));
        }
        return repairs ? Stages.failed(call.unavailable(cause)) : Stages.done(Finding.RIGHT);
    }

    CompletionStage<Finding> checkClaim(ScannedClaim scanned) {
        if (scanned.seen().reserved()) {
            return Stages.done(Finding.RIGHT);
        }
        ClaimKey key = scanned.key();
        Claim claim = scanned.seen().claim();
        WantedValue wanted = WantedValue.of(constraint, UniqueValue.decode(key.value()));
        GuardCall call = call(claim.owner());
        return call.read(claim.owner())
                .thenCompose(
                        row -> wanted.isCarriedBy(row) ? Stages.done(Optional.<SeenClaim>empty()) : call.readClaim(key))
                .thenCompose(now -> {
                    if (now.isEmpty()
                            || now.get().reserved()
                            || !now.get().claim().claimId().equals(claim.claimId())) {
                        return Stages.done(Finding.RIGHT);
                    }
                    return repairs ? remove(call, wanted, now.get()) : Stages.done(Finding.ORPHAN);
                });
    }

    private static CompletionStage<Finding> remove(GuardCall call, WantedValue wanted, SeenClaim claim) {
        return ClaimStep.remove(call, wanted, claim)
                .thenCompose(result -> result instanceof ClaimStep.Result.Unclear unclear
                        ? Stages.failed(call.unavailable(unclear.cause()))
                        : Stages.done(result instanceof ClaimStep.Result.Held ? Finding.FREED : Finding.RIGHT));
    }

    private GuardCall call(String owner) {
        return new GuardCall(parts, rows, repairs ? "repair" : "audit", owner, Observed.NONE);
    }
}
