package io.surewrite.unique.claims;

import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueValue;
import io.surewrite.unique.claims.ClaimStore.Claim;
import io.surewrite.unique.claims.ClaimStore.ClaimKey;
import io.surewrite.unique.claims.ClaimStore.SeenClaim;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Compares the rows of a table with the claims of one constraint, one row or one claim at a time, while writers are at
 * work; claims what is not claimed, and removes claims that have no row any more. A claim is made with the timestamp its
 * value was written with: a writer that changes or deletes the row meanwhile does so later, and so frees the claim. If
 * the claim comes after that, it is in no writer's way for longer than its lease. A claim that a writer has made, and may
 * give up, becomes the row's own.
 *
 * @param parts what the protocol works with
 * @param rows the table
 * @param constraint one of its constraints
 * @param findings hears what is found, on any thread
 * @param duplicates what becomes of a row whose value another row has; completes when it is recorded
 */
public record ExistingRowClaims(
        GuardParts parts,
        ConstrainedRows rows,
        UniqueConstraint constraint,
        Consumer<Finding> findings,
        Function<Twins, CompletionStage<Void>> duplicates) {

    /**
     * A claim as a scan showed it.
     *
     * @param key which value
     * @param seen what was seen
     */
    public record ScannedClaim(ClaimKey key, SeenClaim seen) {}

    /**
     * Two rows with one value.
     *
     * @param value the value, encoded
     * @param holder the canonical primary key of the row that has the claim
     * @param other the canonical primary key of the other row
     */
    public record Twins(String value, String holder, String other) {}

    /** What is found about a row or a claim. */
    public enum Finding {
        /** A row has its claim now: by this call, or since before it. */
        CLAIMED,
        /** A row has no claim, or an outdated one. */
        MISSING,
        /** A claim's row does not have the value, and its writer is gone. */
        ORPHAN,
        /** Such a claim was removed. */
        FREED
    }

    // ---- claim the value of a row ----

    /**
     * Claims the value of a row.
     *
     * @param row the row, as it was when it was read
     * @param value the value that it had then
     * @return completes when the row has its claim, or something else was found
     */
    public CompletionStage<Void> claim(RowSnapshot row, UniqueValue value) {
        return claim(call("build", row.owner()), WantedValue.of(constraint, value), writtenAt(row));
    }

    /** When the value was written, or the row, if nothing of the value has a timestamp. */
    private long writtenAt(RowSnapshot row) {
        long value = row.writtenAt(constraint);
        return value == RowSnapshot.NEVER ? row.newestWrite() : value;
    }

    /**
     * Looks again at a row that was reported as a duplicate: it may have lost the value, or the other row may have.
     *
     * @param duplicate the rows
     * @return completes when the row has its claim, or something else was found
     */
    public CompletionStage<Void> claimAgain(Twins duplicate) {
        GuardCall call = call("build", duplicate.other());
        WantedValue wanted = WantedValue.of(constraint, UniqueValue.decode(duplicate.value()));
        return call.read(call.owner)
                .thenCompose(row -> wanted.isCarriedBy(row) ? claim(call, wanted, row.newestWrite()) : Stages.done());
    }

    /** A claim of a writer who may still give it up is joined, so that it stays. */
    private CompletionStage<Void> claim(GuardCall call, WantedValue wanted, long written) {
        call.decideAt(written == RowSnapshot.NEVER ? parts.time().nextTimestamp() : written);
        return ClaimStep.claim(call, wanted, false).thenCompose(result -> {
            if (result instanceof ClaimStep.Result.Held) {
                findings.accept(Finding.CLAIMED);
                return Stages.done();
            }
            if (result instanceof ClaimStep.Result.Duplicate) {
                return report(call, wanted, written);
            }
            return later(
                    call, wanted, written, result instanceof ClaimStep.Result.Unclear unclear ? unclear.cause() : null);
        });
    }

    private CompletionStage<Void> later(GuardCall call, WantedValue wanted, long written, @Nullable Throwable cause) {
        long pause = call.nextPause();
        return isOver(call, pause)
                ? Stages.failed(call.unavailable(cause))
                : call.after(pause, () -> claim(call, wanted, written));
    }

    private boolean isOver(GuardCall call, long pause) {
        long patience =
                parts.settings().timeout().plus(parts.settings().lease()).toNanos();
        return call.waited() + pause > patience;
    }

    /** Only if both rows still have the value: a scan shows rows as they were. */
    private CompletionStage<Void> report(GuardCall call, WantedValue wanted, long written) {
        return call.readClaim(wanted.key()).thenCompose(seen -> {
            if (seen.isEmpty() || seen.get().isOf(call.owner)) {
                return later(call, wanted, written, null);
            }
            String holder = seen.get().claim().owner();
            return call.read(holder)
                    .thenCombine(
                            call.read(call.owner),
                            (theirs, ours) -> !wanted.isCarriedBy(ours)
                                    ? Stages.done()
                                    : wanted.isCarriedBy(theirs)
                                            ? duplicate(call, wanted, holder)
                                            : later(call, wanted, written, null))
                    .thenCompose(next -> next);
        });
    }

    private CompletionStage<Void> duplicate(GuardCall call, WantedValue wanted, String holder) {
        return duplicates.apply(new Twins(wanted.key().value(), holder, call.owner));
    }

    // ---- look whether a row has its claim ----

    /**
     * Looks whether a row has its claim. A claim that its writer may give up is none yet: it becomes the row's own, or, if
     * nothing is to be changed, is looked at again as long as its writer's lease runs.
     *
     * @param row the row, as it was when it was read
     * @param value the value that it had then
     * @param fixes whether the value is claimed if it is not
     * @return completes when it is known
     */
    public CompletionStage<Void> check(RowSnapshot row, UniqueValue value, boolean fixes) {
        return check(call("repair", row.owner()), row, value, fixes);
    }

    private CompletionStage<Void> check(GuardCall call, RowSnapshot row, UniqueValue value, boolean fixes) {
        WantedValue wanted = WantedValue.of(constraint, value);
        return call.readClaim(wanted.key()).thenCompose(seen -> {
            boolean claimed = covers(seen, row);
            if (claimed && (stays(seen.get(), row) || !(fixes || seen.get().reserved()))) {
                return Stages.done();
            }
            return call.read(row.owner()).thenCompose(now -> {
                if (!wanted.isCarriedBy(now) || (claimed && stays(seen.get(), now))) {
                    return Stages.done();
                }
                if (claimed) {
                    return fixes ? quietly().claim(now, value) : checkLater(call, row, value);
                }
                if (seen.isEmpty() || seen.get().isOf(row.owner())) {
                    return missing(row, value, fixes);
                }
                String holder = seen.get().claim().owner();
                return call.read(holder)
                        .thenCompose(theirs -> wanted.isCarriedBy(theirs)
                                ? duplicate(call, wanted, holder)
                                : missing(row, value, fixes));
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

    /** Whose patience is over has seen one writer after the other, and a claim each time. */
    private CompletionStage<Void> checkLater(GuardCall call, RowSnapshot row, UniqueValue value) {
        long pause = call.nextPause();
        return isOver(call, pause) ? Stages.done() : call.after(pause, () -> check(call, row, value, false));
    }

    /** The same where the row counts as claimed already. */
    private ExistingRowClaims quietly() {
        return new ExistingRowClaims(parts, rows, constraint, finding -> {}, duplicates);
    }

    private CompletionStage<Void> missing(RowSnapshot row, UniqueValue value, boolean fixes) {
        findings.accept(Finding.MISSING);
        return fixes ? claim(row, value) : Stages.done();
    }

    // ---- look whether a claim has its row ----

    /**
     * Looks whether a claim's row has the value.
     *
     * @param scanned the claim as a scan showed it
     * @param fixes whether the claim is removed if the row does not have the value and the claim's writer is gone
     * @return completes when it is known
     */
    public CompletionStage<Void> checkClaim(ScannedClaim scanned, boolean fixes) {
        if (scanned.seen().reserved()) {
            return Stages.done(); // its writer may be at work
        }
        ClaimKey key = scanned.key();
        Claim claim = scanned.seen().claim();
        WantedValue wanted = new WantedValue(constraint, UniqueValue.decode(key.value()), key, false);
        GuardCall call = call("repair", claim.owner());
        return call.read(claim.owner()).thenCompose(row -> {
            if (wanted.isCarriedBy(row)) {
                return Stages.done();
            }
            return call.readClaim(key).thenCompose(now -> {
                boolean stillThere = now.isPresent()
                        && now.get().claim().claimId().equals(claim.claimId())
                        && !now.get().reserved();
                return stillThere ? orphan(call, wanted, now.get(), fixes) : Stages.done();
            });
        });
    }

    private CompletionStage<Void> orphan(GuardCall call, WantedValue wanted, SeenClaim claim, boolean fixes) {
        findings.accept(Finding.ORPHAN);
        if (!fixes) {
            return Stages.done();
        }
        return ClaimStep.remove(call, wanted, claim).thenCompose(result -> {
            if (result instanceof ClaimStep.Result.Unclear unclear) {
                return Stages.failed(call.unavailable(unclear.cause()));
            }
            if (result instanceof ClaimStep.Result.Held) {
                findings.accept(Finding.FREED);
            }
            return Stages.done();
        });
    }

    private GuardCall call(String operation, String owner) {
        return GuardCall.unheard(parts, rows, operation, owner);
    }
}
