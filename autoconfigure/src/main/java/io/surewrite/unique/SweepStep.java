package io.surewrite.unique;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Removes a claim whose row does not have the value, and whose writer is gone: a takeover by nobody. Held means that the
 * value is free.
 */
final class SweepStep implements Takeover.Heir {

    private final GuardCall call;
    private final Target target;
    private final Claim former;

    SweepStep(GuardCall call, Target target, Claim former) {
        this.call = call;
        this.target = target;
        this.former = former;
    }

    CompletionStage<ClaimResult> run() {
        return new Takeover(call, target, former, this).run();
    }

    /** Whoever was faster sees to it. */
    @Override
    public CompletionStage<ClaimResult> beginAgain() {
        return CompletableFuture.completedFuture(new ClaimResult.Pending());
    }

    @Override
    public CompletionStage<ClaimAnswer> replace(Claim marked) {
        return call.askClaims(() -> call.parts().claims().abandon(target.key(), marked.claimId()));
    }

    @Override
    public CompletionStage<ClaimResult> replaced(ClaimAnswer answer) {
        return CompletableFuture.completedFuture(
                answer instanceof ClaimAnswer.Unclear unclear
                        ? new ClaimResult.Unclear(unclear.cause())
                        : answer instanceof ClaimAnswer.Done ? new ClaimResult.Held(true) : new ClaimResult.Pending());
    }
}
