package io.surewrite.unique;

import io.surewrite.unique.UniqueReport.Duplicate;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Claims the values of rows that are there already, with the timestamps they were written with: whoever changes or deletes
 * such a row meanwhile does it later, and so frees the claim. If the claim comes after that, it is in nobody's way for
 * longer than its lease.
 */
final class RowClaims {

    private final GuardParts parts;
    private final ConstrainedRows rows;
    private final UniqueConstraint constraint;
    private final ScanTally tally;
    private final Function<Duplicate, CompletionStage<Void>> duplicates;

    /**
     * @param duplicates what becomes of a row whose value another row has
     */
    RowClaims(
            GuardParts parts,
            ConstrainedRows rows,
            UniqueConstraint constraint,
            ScanTally tally,
            Function<Duplicate, CompletionStage<Void>> duplicates) {
        this.parts = parts;
        this.rows = rows;
        this.constraint = constraint;
        this.tally = tally;
        this.duplicates = duplicates;
    }

    /** Claims the value of a row. */
    CompletionStage<Void> claim(ScannedRow row, Target target) {
        long written = row.valueWrite() == RowSnapshot.NEVER ? row.newestWrite() : row.valueWrite();
        return claim(GuardCall.unheard(parts, rows, "build", row.owner()), target, written);
    }

    private CompletionStage<Void> claim(GuardCall call, Target target, long written) {
        call.pinAt(written == RowSnapshot.NEVER ? parts.time().nextTimestamp() : written);
        return new ClaimStep(call, target).run().thenCompose(result -> {
            // Rise: the row has its claim already, at this timestamp or a later one.
            if (result instanceof ClaimResult.Held || result instanceof ClaimResult.Rise) {
                tally.claimed.increment();
                return All.done();
            }
            return result instanceof ClaimResult.Duplicate
                    ? report(call, target, written)
                    : later(call, target, written, result);
        });
    }

    private CompletionStage<Void> later(GuardCall call, Target target, long written, ClaimResult result) {
        Throwable cause = result instanceof ClaimResult.Unclear unclear ? unclear.cause() : null;
        long pause = call.nextPause();
        long patience =
                parts.settings().timeout().plus(parts.settings().lease()).toNanos();
        return call.waited() + pause > patience
                ? CompletableFuture.failedFuture(call.unavailable(cause))
                : call.after(pause, () -> claim(call, target, written));
    }

    /** Only if both rows still have the value: a scan shows rows as they were. */
    private CompletionStage<Void> report(GuardCall call, Target target, long written) {
        return call.readClaim(target.key()).thenCompose(seen -> {
            if (seen.isEmpty() || seen.get().isOf(call.owner())) {
                return later(call, target, written, new ClaimResult.Pending());
            }
            String holder = seen.get().claim().owner();
            return call.read(holder)
                    .thenCombine(
                            call.read(call.owner()),
                            (theirs, ours) -> !target.isCarriedBy(ours)
                                    ? All.done()
                                    : target.isCarriedBy(theirs)
                                            ? duplicates.apply(
                                                    new Duplicate(target.key().value(), holder, call.owner()))
                                            : later(call, target, written, new ClaimResult.Pending()))
                    .thenCompose(next -> next);
        });
    }

    /** Looks at a row that was reported as a duplicate again: it may have lost the value, or nobody else may have it now. */
    CompletionStage<Void> claimAgain(Duplicate duplicate) {
        GuardCall call = GuardCall.unheard(parts, rows, "build", duplicate.other());
        Target target = Target.of(constraint, UniqueValue.decode(duplicate.value()), false);
        return call.read(call.owner())
                .thenCompose(row -> target.isCarriedBy(row) ? claim(call, target, row.newestWrite()) : All.done());
    }

    /** Looks whether a row has its claim. */
    CompletionStage<Void> check(ScannedRow row, Target target, boolean mends) {
        GuardCall call = GuardCall.unheard(parts, rows, "repair", row.owner());
        return call.readClaim(target.key()).thenCompose(seen -> {
            boolean ours = seen.isPresent() && seen.get().isOf(call.owner());
            if (ours && seen.get().claim().writeTs() >= row.valueWrite()) {
                return All.done();
            }
            return call.read(call.owner())
                    .thenCompose(now -> target.isCarriedBy(now)
                            ? missing(call, row, target, ours ? "" : owner(seen), mends)
                            : All.done());
        });
    }

    private static String owner(Optional<SeenClaim> seen) {
        return seen.map(claim -> claim.claim().owner()).orElse("");
    }

    private CompletionStage<Void> missing(GuardCall call, ScannedRow row, Target target, String holder, boolean mends) {
        if (holder.isEmpty()) {
            return missing(row, target, mends);
        }
        return call.read(holder)
                .thenCompose(theirs -> target.isCarriedBy(theirs)
                        ? duplicates.apply(new Duplicate(target.key().value(), holder, call.owner()))
                        : missing(row, target, mends));
    }

    private CompletionStage<Void> missing(ScannedRow row, Target target, boolean mends) {
        tally.missing.increment();
        return mends ? claim(row, target) : All.done();
    }
}
