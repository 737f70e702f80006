package io.surewrite.unique.claims;

import io.surewrite.unique.claims.ClaimStore.Claim;
import io.surewrite.unique.claims.ClaimStore.ClaimAnswer;
import io.surewrite.unique.claims.ClaimStore.ClaimAnswer.Refused;
import io.surewrite.unique.claims.ClaimStore.ClaimAnswer.Unclear;
import io.surewrite.unique.claims.ClaimStore.SeenClaim;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Claims one value for the call's row: one conditional write if the value is free. A claim whose writer was given time,
 * and whose row does not carry the value, is taken over: marked, fenced off, and replaced.
 */
final class ClaimStep {

    private static final int MAX_TRIES = 8;

    private final GuardCall call;
    private final WantedValue wanted;

    /** The claim to make; null where a claim is only to be removed. */
    private final @Nullable Claim mine;

    private int tries;

    /** What became of the attempt. */
    sealed interface Result {

        /**
         * The value is ours; after {@link ClaimStep#remove}, it is free.
         *
         * @param created whether this call made the claim or took it over; otherwise it was the owner's before
         */
        record Held(boolean created) implements Result {}

        /**
         * It is the owner's, with a timestamp that ours must exceed.
         *
         * @param seen the timestamp
         */
        record Rise(long seen) implements Result {}

        /** Another row carries the value. */
        record Duplicate() implements Result {}

        /** Another write of the value is under way. */
        record Pending() implements Result {}

        /**
         * The claim may be ours or not.
         *
         * @param cause the last failure
         */
        record Unclear(Throwable cause) implements Result {}
    }

    private ClaimStep(GuardCall call, WantedValue wanted, @Nullable Claim mine) {
        this.call = call;
        this.wanted = wanted;
        this.mine = mine;
    }

    /** Claims a value at the call's pinned timestamp. */
    static CompletionStage<Result> claim(GuardCall call, WantedValue wanted) {
        return new ClaimStep(call, wanted, call.pinnedClaim()).create();
    }

    /** Removes a claim whose row does not have the value, and whose writer is gone: a takeover without a new owner. */
    static CompletionStage<Result> remove(GuardCall call, WantedValue wanted, Claim former) {
        return new ClaimStep(call, wanted, null).takeOver(former);
    }

    private Claim mine() {
        return Objects.requireNonNull(mine);
    }

    // ---- 1. claim a free value ----

    /** Begins, and begins again whenever another process was faster in between. */
    private CompletionStage<Result> create() {
        if (++tries > MAX_TRIES) {
            return Stages.done(new Result.Pending());
        }
        return call.askClaims(claims -> claims.create(wanted.key(), mine())).thenCompose(answer -> {
            if (answer instanceof Refused refused) {
                SeenClaim seen = refused.seen();
                return seen == null ? create() : isOurs(seen) ? refresh(seen) : taken(seen);
            }
            return made(answer, true);
        });
    }

    /** The end of a statement that makes our claim. */
    private CompletionStage<Result> made(ClaimAnswer answer, boolean created) {
        if (answer instanceof Unclear unclear) {
            return Stages.done(new Result.Unclear(unclear.cause()));
        }
        if (answer instanceof Refused) {
            return overtaken();
        }
        if (mine != null) {
            call.parts().listener().claimed(wanted.constraint().name());
        }
        return Stages.done(new Result.Held(created));
    }

    /** Another process was faster. A claim that was to be removed is now its business. */
    private CompletionStage<Result> overtaken() {
        return mine == null ? Stages.done(new Result.Pending()) : create();
    }

    // ---- 2. the value is the row's already ----

    /** Two inserts of one primary key have the same owner, but not the same origin. */
    private boolean isOurs(SeenClaim seen) {
        return seen.isOf(call.owner())
                && (!wanted.decidesOwner()
                        || !call.rules().comparesOrigins()
                        || call.origin().equals(seen.claim().originId()));
    }

    private CompletionStage<Result> refresh(SeenClaim seen) {
        if (mustRiseAbove(seen)) {
            return Stages.done(new Result.Rise(seen.claim().writeTs()));
        }
        // The origin stays that of the call which first made the claim.
        Claim refreshed = wanted.decidesOwner()
                ? mine()
                : new Claim(call.owner(), mine().claimId(), seen.claim().originId(), mine().writeTs());
        return call.askClaims(claims -> claims.replace(wanted.key(), seen.claim(), refreshed))
                .thenCompose(answer -> made(answer, false));
    }

    private boolean mustRiseAbove(SeenClaim seen) {
        return call.rules().mustRiseAbove(seen.claim().writeTs(), mine().writeTs());
    }

    // ---- 3. the value is another row's, or was ----

    /** If the other row carries the value, it is a duplicate, whether its writer is still at work or not. */
    private CompletionStage<Result> taken(SeenClaim seen) {
        if (seen.isOf(call.owner()) && !seen.leased() && mustRiseAbove(seen)) {
            return Stages.done(new Result.Rise(seen.claim().writeTs()));
        }
        return call.read(seen.claim().owner())
                .thenCompose(row -> wanted.isCarriedBy(row)
                        ? Stages.<Result>done(new Result.Duplicate())
                        : seen.leased() ? Stages.done(new Result.Pending()) : takeOver(seen.claim()))
                .exceptionally(failure -> new Result.Unclear(Stages.unwrap(failure)));
    }

    /** Clocks decide whether a lease is over, so none of them may be known to be wrong. */
    private CompletionStage<Result> takeOver(Claim former) {
        if (call.parts().time().clocks().problem() != null) {
            return Stages.done(new Result.Pending());
        }
        if (!call.rules().marksBeforeFence()) {
            return fence(former, former);
        }
        Claim marked = new Claim(former.owner(), call.parts().ids().get(), null, former.writeTs());
        return call.askClaims(claims -> claims.mark(wanted.key(), former, marked.claimId()))
                .thenCompose(answer -> answer instanceof ClaimAnswer.Done ? fence(former, marked) : made(answer, true));
    }

    /** Makes sure that the value never appears on the former owner's row, and then replaces or removes the claim. */
    private CompletionStage<Result> fence(Claim former, Claim marked) {
        return new FenceStep(call, wanted, former).run().thenCompose(fenced -> {
            if (fenced instanceof FenceStep.Result.Unclear unclear) {
                return Stages.done(new Result.Unclear(unclear.cause()));
            }
            if (!(fenced instanceof FenceStep.Result.Up up)) {
                return call.askClaims(claims -> claims.settle(wanted.key(), marked.claimId()))
                        .thenApply(settled -> fenced instanceof FenceStep.Result.Carried
                                ? new Result.Duplicate()
                                : new Result.Pending());
            }
            return call.askClaims(claims -> mine == null
                            ? claims.abandon(wanted.key(), marked.claimId())
                            : claims.replace(wanted.key(), marked, mine))
                    .thenCompose(answer -> {
                        if (answer instanceof ClaimAnswer.Done) {
                            call.parts()
                                    .listener()
                                    .takenOver(wanted.constraint().name(), up.fence());
                        }
                        return made(answer, true);
                    });
        });
    }
}
