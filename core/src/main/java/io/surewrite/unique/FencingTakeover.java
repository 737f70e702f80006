package io.surewrite.unique;

import io.surewrite.unique.ClaimStep.Result;
import io.surewrite.unique.ClaimStore.Claim;
import io.surewrite.unique.ClaimStore.ClaimAnswer;
import io.surewrite.unique.ClaimStore.ClaimAnswer.Refused;
import io.surewrite.unique.ClaimStore.ClaimAnswer.Unclear;
import io.surewrite.unique.ClaimStore.ClaimKey;
import io.surewrite.unique.ClaimStore.SeenClaim;
import io.surewrite.unique.UniqueRules.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Takes over a claim whose reservation has ended, and makes sure that the former owner never shows the value.
 *
 * <p>Kills what may still come of the value onto the former owner's row, all of which was sent at the claim's timestamp or
 * below. The row's fence comes first, so that an operation which is killed, and is acknowledged after the row was read,
 * learns of it. Every statement is harmless when it comes late: any new operation of the row that wants the value changes
 * the claim's id, on which the last step depends.
 */
final class FencingTakeover {

    private final ClaimStep step;
    private final GuardCall call;
    private final WantedValue wanted;
    private final Claim former;
    private final ClaimKey row;

    /** Values that the row showed though another row has them. */
    private final Set<WantedValue> twins = ConcurrentHashMap.newKeySet();

    FencingTakeover(ClaimStep step, Claim former) {
        this.step = step;
        this.call = step.call;
        this.wanted = step.wanted;
        this.former = former;
        this.row = WantedValue.ofRow(call.rows, former.owner());
    }

    /**
     * Whether a part that differs is newer than the claim: then no late write can complete the value. A part that is newer
     * but equal proves nothing, as the late write may bring the others; and an entity may lack other columns.
     */
    boolean isDead(RowSnapshot shown) {
        UniqueConstraint constraint = wanted.constraint();
        List<@Nullable String> parts =
                shown.value(constraint).map(UniqueValue::parts).orElse(List.of());
        return IntStream.range(0, parts.size())
                .anyMatch(part -> parts.get(part) != null
                        && !parts.get(part).equals(wanted.value().parts().get(part))
                        && (shown.writtenAt(constraint, part) > former.writeTs()
                                || !call.keeps(Rule.ONLY_NEWER_PARTS_PROVE_DEATH)));
    }

    // ---- 1. fence the row above all that the takeover kills

    /**
     * Who drew a lower timestamp by another clock may still be told done. So the reservation must be over by this clock as well
     * as by those of nodes. What a clock far ahead has drawn is left alone until then, also by the process that drew it.
     */
    private boolean isAhead(long above) {
        boolean early = call.parts.time().wallMicros() - above
                < TimeUnit.SECONDS.toMicros(call.parts.settings().lease().toSeconds() - 1);
        return (early && call.keeps(Rule.TAKEOVERS_WAIT_FOR_THE_CLOCK))
                || call.parts.time().clocks().problem() != null;
    }

    CompletionStage<Result> fence(long above) {
        if (isAhead(above) || !step.triesAgain()) {
            return ClaimStep.pending();
        }
        if (!call.keeps(Rule.TAKEOVERS_FENCE_THE_ROW)) {
            return lookAgain(above + 1);
        }
        if (!call.keeps(Rule.READS_AFTER_THE_FENCE)) {
            return call.repeated(() -> call.rows.readToRestore(former.owner()))
                    .thenCompose(shown -> fence(above, at -> kill(shown, at)));
        }
        return fence(above, this::lookAgain);
    }

    /** Where the row has a claim of its own, the new fence lies above that, and takes its place. */
    private CompletionStage<Result> fence(long above, LongFunction<CompletionStage<Result>> fenced) {
        return call.askClaims(claims -> claims.fence(row, fenceAt(above + 1))).thenCompose(answer -> {
            SeenClaim seen = answer instanceof Refused refused ? refused.seen() : null;
            if (seen == null) {
                return fenced(answer, above, fenced);
            }
            long highest = call.keeps(Rule.ONE_TIMESTAMP_FOR_EACH_TAKEOVER)
                    ? Math.max(above, seen.claim().writeTs())
                    : above;
            if (seen.reserved() || isAhead(highest)) {
                return ClaimStep.pending(); // another writer of the row is, or may be, at work
            }
            return call.askClaims(claims -> claims.raiseFence(row, seen.claim().claimId(), fenceAt(highest + 1)))
                    .thenCompose(raised -> fenced(raised, highest, fenced));
        });
    }

    private Claim fenceAt(long timestamp) {
        return new Claim(former.owner(), call.parts.ids().get(), null, timestamp);
    }

    private CompletionStage<Result> fenced(ClaimAnswer answer, long above, LongFunction<CompletionStage<Result>> then) {
        if (answer instanceof Unclear unclear) {
            return Stages.done(new Result.Unclear(unclear.cause()));
        }
        return answer instanceof Refused ? fence(above) : then.apply(above + 1);
    }

    // ---- 2. read the row again

    private CompletionStage<Result> lookAgain(long at) {
        return call.repeated(() -> call.rows.readToRestore(former.owner())).thenCompose(shown -> kill(shown, at));
    }

    private CompletionStage<Result> kill(RowSnapshot shown, long at) {
        if (wanted.isCarriedBy(shown)) {
            return Stages.done(new Result.Duplicate());
        }
        if (isDead(shown) || !call.keeps(Rule.TAKEOVERS_KILL_LATE_WRITES)) {
            return take();
        }
        return shown.exists() ? protect(shown, at) : delete();
    }

    // ---- 3a. the row is not there: delete it; on a tie the deletion wins, and whatever is newer lives

    private CompletionStage<Result> delete() {
        long at = former.writeTs() - (call.keeps(Rule.DELETES_AT_THE_CLAIMS_TIMESTAMP) ? 0 : 1);
        return call.repeated(() -> call.rows.delete(former.owner(), at)).thenCompose(deleted -> take());
    }

    // ---- 3b. the row has another value: claim what it has up to the fence, and write it again there

    private CompletionStage<Result> protect(RowSnapshot shown, long at) {
        List<WantedValue> values = new ArrayList<>();
        if (call.keeps(Rule.RESTORED_VALUES_ARE_PROTECTED)) {
            for (UniqueConstraint constraint : call.rows.constraints()) {
                shown.value(constraint).ifPresent(value -> values.add(WantedValue.of(constraint, value)));
            }
        }
        return Stages.all(values, value -> protect(value, at)).thenCompose(answers -> {
            long highest = at - 1;
            boolean refusedOne = false;
            for (ClaimAnswer answer : answers) {
                if (answer instanceof Unclear unclear) {
                    return Stages.done(new Result.Unclear(unclear.cause()));
                }
                if (answer instanceof Refused refused) {
                    refusedOne = true;
                    SeenClaim seen = refused.seen();
                    if (seen != null && seen.isOf(former.owner())) {
                        if (seen.reserved()) {
                            return ClaimStep.pending(); // another writer of the row is at work
                        }
                        highest = Math.max(highest, seen.claim().writeTs());
                    }
                }
            }
            return refusedOne
                    ? fence(Math.max(highest, at))
                    : call.repeated(() -> call.rows.restore(shown, at)).thenCompose(restored -> take());
        });
    }

    /**
     * A value that the row had before the constraint may have no claim yet; or another row has it too, and the claim: then
     * there is nothing to protect. That it does not only come late shows when the row is read once more.
     */
    private CompletionStage<ClaimAnswer> protect(WantedValue value, long at) {
        Claim claim = fenceAt(at);
        return call.askClaims(claims -> claims.protect(value.key(), claim)).thenCompose(answer -> {
            if (!(answer instanceof Refused refused)) {
                return Stages.done(answer);
            }
            SeenClaim seen = refused.seen();
            if (seen == null) {
                return call.askClaims(claims -> claims.adopt(value.key(), claim));
            }
            return seen.isOf(former.owner())
                    ? Stages.done(answer)
                    : call.read(seen.claim().owner())
                            .thenApply(other ->
                                    value.isCarriedBy(other) && !twins.add(value) ? new ClaimAnswer.Done() : answer);
        });
    }

    // ---- 4. replace or remove the claim, if it is still the one that was seen

    CompletionStage<Result> take() {
        UUID seen = former.claimId();
        return call.askClaims(claims -> step.removes
                        ? claims.withdraw(wanted.key(), seen)
                        : claims.take(wanted.key(), seen, call.created()))
                .thenCompose(answer -> {
                    if (answer instanceof Refused) {
                        return step.removes ? ClaimStep.pending() : step.again();
                    }
                    if (answer instanceof ClaimAnswer.Done) {
                        call.takenOver();
                    }
                    return ClaimStep.made(answer, Result.Held.CREATED);
                });
    }
}
