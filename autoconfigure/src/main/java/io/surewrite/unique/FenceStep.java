package io.surewrite.unique;

import io.surewrite.unique.UniqueListener.Fence;
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
        long fence = call.rules().fenceOf(former.writeTs());
        return call.ask(() -> call.rows().delete(former.owner(), fence))
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
