package io.surewrite.unique;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Finds claims whose row does not have the value and whose writer is gone, and removes them. */
final class OrphanClaims {

    private final GuardParts parts;
    private final ConstrainedRows rows;
    private final UniqueConstraint constraint;
    private final ScanTally tally;

    OrphanClaims(GuardParts parts, ConstrainedRows rows, UniqueConstraint constraint, ScanTally tally) {
        this.parts = parts;
        this.rows = rows;
        this.constraint = constraint;
        this.tally = tally;
    }

    CompletionStage<Void> check(ScannedClaim scanned, boolean mends) {
        if (scanned.seen().leased()) {
            return All.done(); // its writer may be at work
        }
        Target target = new Target(constraint, UniqueValue.decode(scanned.key().value()), scanned.key(), false);
        Claim claim = scanned.seen().claim();
        GuardCall call = GuardCall.unheard(parts, rows, "repair", claim.owner());
        return call.read(claim.owner()).thenCompose(row -> {
            if (target.isCarriedBy(row)) {
                return All.done();
            }
            return call.readClaim(target.key()).thenCompose(now -> {
                boolean stillThere = now.isPresent()
                        && now.get().claim().claimId().equals(claim.claimId())
                        && !now.get().leased();
                return stillThere ? orphan(call, target, claim, mends) : All.done();
            });
        });
    }

    private CompletionStage<Void> orphan(GuardCall call, Target target, Claim claim, boolean mends) {
        tally.orphans.increment();
        if (!mends) {
            return All.done();
        }
        return new SweepStep(call, target, claim).run().thenCompose(result -> {
            if (result instanceof ClaimResult.Unclear unclear) {
                return CompletableFuture.failedFuture(call.unavailable(unclear.cause()));
            }
            if (result instanceof ClaimResult.Held) {
                tally.freed.increment();
            }
            return All.done();
        });
    }
}
