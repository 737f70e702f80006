package io.surewrite.unique;

import io.surewrite.unique.ClaimAnswer.Refused;
import io.surewrite.unique.ClaimAnswer.Unclear;
import io.surewrite.unique.UniqueListener.Fence;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Makes sure that a value never appears on a row by what was sent under an old claim, all of which has at most the
 * claim's timestamp. A row that is not there is deleted at that timestamp: on a tie the deletion wins, and whatever is
 * newer lives.
 */
final class FenceStep {

    private static final int MAX_TRIES = 5;

    private final GuardCall call;
    private final Target target;
    private final Claim former;
    private int tries;
    private boolean noted;

    FenceStep(GuardCall call, Target target, Claim former) {
        this.call = call;
        this.target = target;
        this.former = former;
    }

    /** Reads the row, and begins again when it changes under our hands. */
    CompletionStage<FenceResult> run() {
        if (++tries > MAX_TRIES) {
            return done(new FenceResult.Busy());
        }
        return call.read(former.owner())
                .thenCompose(this::seen)
                .exceptionally(failure -> new FenceResult.Unclear(Failures.unwrap(failure)));
    }

    private CompletionStage<FenceResult> seen(RowSnapshot row) {
        if (target.isCarriedBy(row)) {
            return done(new FenceResult.Carried());
        }
        if (!call.rules().fences() || isDead(row)) {
            return done(new FenceResult.Up(Fence.DEAD_ALREADY));
        }
        if (row.exists()) {
            return new Restoration(call, row, former.writeTs(), this).run();
        }
        return noted || !call.rules().notesDeletions() ? delete() : note(former.writeTs());
    }

    /**
     * Claims the row above all that the deletion will kill, and reads it once more. A late write of yet another value may
     * bring the row before the deletion does its work; whoever finds it finds the claim too, or is found by this reading.
     */
    private CompletionStage<FenceResult> note(long above) {
        Optional<ClaimKey> key = call.rowTarget(former.owner()).map(Target::key);
        if (key.isEmpty()) {
            return delete();
        }
        Claim note = new Claim(former.owner(), call.parts().ids().get(), null, above + 1);
        return call.askClaims(() -> call.parts().claims().raise(key.get(), note))
                .thenCompose(answer -> answer instanceof Refused refused && refused.seen() == null
                        ? call.askClaims(() -> call.parts().claims().note(key.get(), note))
                        : All.done(answer))
                .thenCompose(answer -> noted(answer, above));
    }

    private CompletionStage<FenceResult> noted(ClaimAnswer answer, long above) {
        if (answer instanceof Unclear unclear) {
            return done(new FenceResult.Unclear(unclear.cause()));
        }
        if (answer instanceof Refused refused) {
            SeenClaim seen = refused.seen();
            return seen == null || seen.leased() || ++tries > MAX_TRIES
                    ? done(new FenceResult.Busy())
                    : note(Math.max(above, seen.claim().writeTs()));
        }
        noted = true;
        return run();
    }

    private CompletionStage<FenceResult> delete() {
        long fence = call.rules().fenceOf(former.writeTs());
        return call.askRows(rows -> rows.delete(former.owner(), fence))
                .thenApply(deleted -> new FenceResult.Up(Fence.DELETED));
    }

    /**
     * Whether a part that differs is newer than the claim: then no late write can complete the value. A part that is
     * newer but equal proves nothing, as the late write may bring the others.
     */
    private boolean isDead(RowSnapshot row) {
        UniqueValue shown = row.value(target.constraint());
        for (int i = 0; i < shown.parts().size(); i++) {
            String part = shown.parts().get(i);
            if (part != null
                    && !part.equals(target.value().parts().get(i))
                    && row.writtenAt(target.constraint(), i) > former.writeTs()) {
                return true;
            }
        }
        return false;
    }

    static CompletionStage<FenceResult> done(FenceResult result) {
        return CompletableFuture.completedFuture(result);
    }
}
