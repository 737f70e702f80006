package io.surewrite.unique;

import io.surewrite.unique.ClaimAnswer.Refused;
import io.surewrite.unique.ClaimAnswer.Unclear;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Takes a value over from a writer that has claimed it, was given time, and whose row does not carry it: marks the claim,
 * makes sure that the value never appears on the former owner's row, and then replaces the claim.
 */
final class Takeover {

    private final GuardCall call;
    private final Target target;
    private final Claim former;
    private final Heir heir;
    private final Claim marked;

    Takeover(GuardCall call, Target target, Claim former, Heir heir) {
        this.call = call;
        this.target = target;
        this.former = former;
        this.heir = heir;
        this.marked = call.rules().marksBeforeFence()
                ? new Claim(former.owner(), call.parts().ids().get(), null, former.writeTs())
                : former;
    }

    /** Who gets what is taken over. */
    interface Heir {

        /** Somebody else was faster. */
        CompletionStage<ClaimResult> beginAgain();

        /** Puts something in the place of the claim, whose value can never appear on its row any more. */
        CompletionStage<ClaimAnswer> replace(Claim marked);

        /** What the answer to that means. */
        CompletionStage<ClaimResult> replaced(ClaimAnswer answer);
    }

    /** Whether a lease is over is for clocks to say, so none of them may be known to be wrong. */
    CompletionStage<ClaimResult> run() {
        if (call.parts().time().clocks().problem() != null) {
            return done(new ClaimResult.Pending());
        }
        if (!call.rules().marksBeforeFence()) {
            return fence();
        }
        return call.askClaims(() -> call.parts().claims().mark(target.key(), former, marked.claimId()))
                .thenCompose(this::marked);
    }

    private CompletionStage<ClaimResult> marked(ClaimAnswer answer) {
        if (answer instanceof Unclear unclear) {
            return done(new ClaimResult.Unclear(unclear.cause()));
        }
        return answer instanceof Refused ? heir.beginAgain() : fence();
    }

    private CompletionStage<ClaimResult> fence() {
        return new FenceStep(call, target, former).run().thenCompose(this::fenced);
    }

    private CompletionStage<ClaimResult> fenced(FenceResult result) {
        if (result instanceof FenceResult.Unclear unclear) {
            return done(new ClaimResult.Unclear(unclear.cause()));
        }
        if (!(result instanceof FenceResult.Up)) {
            return call.askClaims(() -> call.parts().claims().settle(target.key(), marked.claimId()))
                    .thenApply(answer -> result instanceof FenceResult.Carried
                            ? new ClaimResult.Duplicate()
                            : new ClaimResult.Pending());
        }
        return heir.replace(marked).thenCompose(answer -> {
            if (answer instanceof ClaimAnswer.Done && result instanceof FenceResult.Up up) {
                call.parts().listener().takenOver(target.constraint().name(), up.fence());
            }
            return heir.replaced(answer);
        });
    }

    private static CompletionStage<ClaimResult> done(ClaimResult result) {
        return CompletableFuture.completedFuture(result);
    }
}
