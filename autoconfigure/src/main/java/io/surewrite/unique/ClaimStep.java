package io.surewrite.unique;

import io.surewrite.unique.ClaimAnswer.Refused;
import io.surewrite.unique.ClaimAnswer.Unclear;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Claims one value for the call's row: one conditional write, if nobody has it. */
final class ClaimStep implements Takeover.Heir {

    private static final int MAX_TRIES = 8;

    private final GuardCall call;
    private final Target target;
    private final Pin pin;
    private int tries;

    ClaimStep(GuardCall call, Target target) {
        this.call = call;
        this.target = target;
        this.pin = call.pin();
    }

    /** Begins, and begins again whenever somebody else was faster in between. */
    CompletionStage<ClaimResult> run() {
        if (++tries > MAX_TRIES) {
            return CompletableFuture.completedFuture(new ClaimResult.Pending());
        }
        return call.askClaims(() -> call.parts().claims().create(target.key(), mine()))
                .thenCompose(this::created);
    }

    private Claim mine() {
        return new Claim(call.owner(), pin.claimId(), call.origin(), pin.timestamp());
    }

    private CompletionStage<ClaimResult> created(ClaimAnswer answer) {
        if (answer instanceof Unclear unclear) {
            return done(new ClaimResult.Unclear(unclear.cause()));
        }
        if (!(answer instanceof Refused refused)) {
            return held(true);
        }
        SeenClaim seen = refused.seen();
        if (seen == null) {
            return run();
        }
        return isOurs(seen) ? again(seen) : taken(seen);
    }

    /** Two inserts of one primary key have the same owner, but not the same origin. */
    private boolean isOurs(SeenClaim seen) {
        return seen.isOf(call.owner())
                && (!target.decidesOwner()
                        || !call.rules().comparesOrigins()
                        || call.origin().equals(seen.claim().originId()));
    }

    private CompletionStage<ClaimResult> again(SeenClaim seen) {
        if (call.rules().mustRiseAbove(seen.claim().writeTs(), pin.timestamp())) {
            return done(new ClaimResult.Rise(seen.claim().writeTs()));
        }
        return call.askClaims(() -> call.parts().claims().replace(target.key(), seen.claim(), mineAfter(seen.claim())))
                .thenCompose(answer -> replaced(answer, false));
    }

    /** The origin stays that of the call which first made the claim. */
    private Claim mineAfter(Claim seen) {
        return target.decidesOwner()
                ? mine()
                : new Claim(call.owner(), pin.claimId(), seen.originId(), pin.timestamp());
    }

    /** Another's: if its row carries the value, it is a duplicate, whether its writer is still at work or not. */
    private CompletionStage<ClaimResult> taken(SeenClaim seen) {
        boolean sameRow = seen.isOf(call.owner());
        if (sameRow && !seen.leased() && call.rules().mustRiseAbove(seen.claim().writeTs(), pin.timestamp())) {
            return done(new ClaimResult.Rise(seen.claim().writeTs()));
        }
        return call.read(seen.claim().owner())
                .thenCompose(row -> {
                    if (target.isCarriedBy(row)) {
                        return done(new ClaimResult.Duplicate());
                    }
                    return seen.leased()
                            ? done(new ClaimResult.Pending())
                            : new Takeover(call, target, seen.claim(), this).run();
                })
                .exceptionally(failure -> new ClaimResult.Unclear(Failures.unwrap(failure)));
    }

    @Override
    public CompletionStage<ClaimResult> beginAgain() {
        return run();
    }

    @Override
    public CompletionStage<ClaimAnswer> replace(Claim marked) {
        return call.askClaims(() -> call.parts().claims().replace(target.key(), marked, mine()));
    }

    @Override
    public CompletionStage<ClaimResult> replaced(ClaimAnswer answer) {
        return replaced(answer, true);
    }

    /** The end of a statement that puts our claim in the place of another. */
    private CompletionStage<ClaimResult> replaced(ClaimAnswer answer, boolean created) {
        if (answer instanceof Unclear unclear) {
            return done(new ClaimResult.Unclear(unclear.cause()));
        }
        return answer instanceof Refused ? run() : held(created);
    }

    private CompletionStage<ClaimResult> held(boolean created) {
        call.parts().listener().claimed(target.constraint().name());
        return done(new ClaimResult.Held(created));
    }

    private static CompletionStage<ClaimResult> done(ClaimResult result) {
        return CompletableFuture.completedFuture(result);
    }
}
