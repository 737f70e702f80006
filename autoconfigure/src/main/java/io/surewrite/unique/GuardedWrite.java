package io.surewrite.unique;

import io.surewrite.cql.FailureKind;
import io.surewrite.cql.WriteFailures;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Claims, writes, and frees the old values: the steps that inserts and changes share. What is not acknowledged in time is
 * done again, under new claims and a later timestamp.
 */
final class GuardedWrite {

    private static final long FIRST_STEP_BACK = 1_000;
    private static final int MAX_STEPS_BACK = 7;

    private final GuardCall call;
    private final EntityWrite write;
    private final ClaimSet claims;
    private final List<ClaimKey> oldValues;
    private final boolean readsBack;
    private int stepsBack;

    /**
     * @param oldValues the values that the row has had; those that it keeps stay claimed
     * @param readsBack whether the row may be dead on arrival, because there was none, or a part of it was null
     */
    GuardedWrite(GuardCall call, EntityWrite write, ClaimSet claims, List<ClaimKey> oldValues, boolean readsBack) {
        this.call = call;
        this.write = write;
        this.claims = claims;
        this.oldValues =
                oldValues.stream().filter(value -> !claims.contains(value)).toList();
        this.readsBack = readsBack && call.rules().readsBack();
    }

    CompletionStage<Void> run() {
        return claims.claim().thenCompose(claimed -> send());
    }

    private CompletionStage<Void> send() {
        if (isLate()) {
            return slow(0, 0);
        }
        boolean sentBefore = call.rowSent();
        call.rowSent(true);
        CompletableFuture<Void> end = new CompletableFuture<>();
        call.ask(() -> write.write(call.pin().timestamp())).whenComplete((written, failure) -> {
            CompletionStage<Void> next =
                    failure == null ? acknowledged() : failed(Failures.unwrap(failure), sentBefore);
            next.whenComplete((done, wrong) -> {
                if (wrong == null) {
                    end.complete(null);
                } else {
                    end.completeExceptionally(Failures.unwrap(wrong));
                }
            });
        });
        return end;
    }

    /** A row without claims cannot come too late. */
    private boolean isLate() {
        return !claims.isEmpty() && call.isLate();
    }

    private CompletionStage<Void> failed(Throwable failure, boolean sentBefore) {
        FailureKind kind = WriteFailures.ofPlain(failure);
        if (kind == FailureKind.OTHER) {
            // Not the database's: of the caller's own code, before or after the write. The claims cover it if it was
            // sent.
            return CompletableFuture.failedFuture(failure);
        }
        if (kind == FailureKind.NOT_APPLIED || kind == FailureKind.WRONG_STATEMENT) {
            call.rowSent(sentBefore);
        }
        if (kind == FailureKind.WRONG_STATEMENT) {
            return claims.fail(
                    !sentBefore && failure instanceof RuntimeException wrong ? wrong : call.noAnswer(failure));
        }
        long pause = call.nextPause();
        if (call.isOver(pause)) {
            return claims.fail(call.noAnswer(failure));
        }
        return claims.isEmpty() || !call.isLateIn(pause) ? call.after(pause, this::send) : slow(0, 0);
    }

    private CompletionStage<Void> acknowledged() {
        if (isLate()) {
            return slow(0, 0);
        }
        return readsBack ? readBack() : release();
    }

    /** Claims everything again with a new id and a later timestamp, and writes again. */
    private CompletionStage<Void> slow(long above, long step) {
        call.parts().listener().slow(call.operation());
        // Nobody is in the way of a step beyond an unseen deletion: only its timestamp is too low.
        long pause = step > 0 && stepsBack <= MAX_STEPS_BACK ? 0 : call.nextPause();
        if (call.isOver(pause)) {
            return claims.fail(call.noAnswer(null));
        }
        return call.after(pause, () -> {
            call.pinAgain(above, step);
            return claims.claimAgain().thenCompose(claimed -> send());
        });
    }

    private CompletionStage<Void> readBack() {
        return call.read(call.owner())
                .handle((row, failure) -> {
                    if (failure != null) {
                        return claims.fail(call.unknown(Failures.unwrap(failure)));
                    }
                    return isThere(row) ? release() : slow(0, stepBack());
                })
                .thenCompose(next -> next);
    }

    private boolean isThere(RowSnapshot row) {
        return row.exists()
                && claims.targets().stream()
                        .map(target -> new Pair(row.value(target.constraint()), target.value()))
                        .allMatch(Pair::hasNoMoreNulls);
    }

    /**
     * What a row shows and what was written.
     *
     * @param shown what it shows
     * @param written what was written
     */
    private record Pair(UniqueValue shown, UniqueValue written) {

        boolean hasNoMoreNulls() {
            for (int i = 0; i < shown.parts().size(); i++) {
                if (shown.parts().get(i) == null && written.parts().get(i) != null) {
                    return false;
                }
            }
            return true;
        }
    }

    /** {@return how far to go beyond the clock, in microseconds: something unseen has a later timestamp} */
    private long stepBack() {
        long step = FIRST_STEP_BACK;
        for (int i = 0; i < Math.min(stepsBack, MAX_STEPS_BACK); i++) {
            step *= 10;
        }
        stepsBack++;
        return step;
    }

    /** The change is a success only when the old values are free, or somebody else's. */
    private CompletionStage<Void> release() {
        return ReleaseStep.run(call, oldValues, call.pin().timestamp()).thenCompose(released -> {
            if (released.unclear() != null) {
                return CompletableFuture.failedFuture(call.unknown(released.unclear()));
            }
            Long overtaken = released.overtaken();
            if (overtaken != null && call.rules().heedsOvertakenRelease()) {
                return slow(overtaken, 0);
            }
            return CompletableFuture.completedFuture(null);
        });
    }
}
