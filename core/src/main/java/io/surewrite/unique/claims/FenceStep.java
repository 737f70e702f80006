package io.surewrite.unique.claims;

import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.UniqueListener.Fence;
import io.surewrite.unique.UniqueValue;
import io.surewrite.unique.claims.ClaimStore.Claim;
import io.surewrite.unique.claims.ClaimStore.ClaimAnswer;
import io.surewrite.unique.claims.ClaimStore.ClaimAnswer.Refused;
import io.surewrite.unique.claims.ClaimStore.ClaimAnswer.Unclear;
import io.surewrite.unique.claims.ClaimStore.ClaimKey;
import io.surewrite.unique.claims.ClaimStore.SeenClaim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Makes sure that a value never appears on a row by what was sent under an old claim, all of which has at most the
 * claim's timestamp. A row that is not there is deleted at that timestamp: on a tie the deletion wins, and whatever is
 * newer lives. A row with another value is written again above that timestamp.
 */
final class FenceStep {

    private static final int MAX_TRIES = 5;

    private final GuardCall call;
    private final WantedValue wanted;
    private final Claim former;
    private int tries;
    private boolean noted;

    /** Whether the value can still appear on the row of its former owner. */
    sealed interface Result {

        /**
         * It cannot: everything that was sent under the claim is dead.
         *
         * @param fence why
         */
        record Up(Fence fence) implements Result {}

        /** It is there. */
        record Carried() implements Result {}

        /** Another process is at work on the row. */
        record Busy() implements Result {}

        /**
         * The fence is not acknowledged.
         *
         * @param cause the last failure
         */
        record Unclear(Throwable cause) implements Result {}
    }

    FenceStep(GuardCall call, WantedValue wanted, Claim former) {
        this.call = call;
        this.wanted = wanted;
        this.former = former;
    }

    // ---- 1. read the row ----

    /** Reads the row, and begins again when it changes meanwhile. */
    CompletionStage<Result> run() {
        if (++tries > MAX_TRIES) {
            return Stages.done(new Result.Busy());
        }
        return call.read(former.owner())
                .thenCompose(this::seen)
                .exceptionally(failure -> new Result.Unclear(Stages.unwrap(failure)));
    }

    private CompletionStage<Result> seen(RowSnapshot row) {
        if (wanted.isCarriedBy(row)) {
            return Stages.done(new Result.Carried());
        }
        if (!call.rules().fences() || isDead(row)) {
            return Stages.done(new Result.Up(Fence.DEAD_ALREADY));
        }
        if (row.exists()) {
            return new Restoration(row).run();
        }
        return noted || !call.rules().notesDeletions() ? delete() : note(former.writeTs());
    }

    /**
     * Whether a part that differs is newer than the claim: then no late write can complete the value. A part that is
     * newer but equal proves nothing, as the late write may bring the others.
     */
    private boolean isDead(RowSnapshot row) {
        UniqueValue shown = row.value(wanted.constraint());
        for (int i = 0; i < shown.parts().size(); i++) {
            String part = shown.parts().get(i);
            if (part != null
                    && !part.equals(wanted.value().parts().get(i))
                    && row.writtenAt(wanted.constraint(), i) > former.writeTs()) {
                return true;
            }
        }
        return false;
    }

    // ---- 2a. the row is not there: delete it at the claim's timestamp ----

    /**
     * Claims the row above all that the deletion will kill, and reads it once more. A late write of yet another value may
     * bring the row before the deletion does its work; a writer that finds it finds the claim too, or is found by this
     * reading.
     */
    private CompletionStage<Result> note(long above) {
        Optional<ClaimKey> key = call.rowClaim(former.owner()).map(WantedValue::key);
        if (key.isEmpty()) {
            return delete();
        }
        Claim note = new Claim(former.owner(), call.parts().ids().get(), null, above + 1);
        return call.askClaims(claims -> claims.raise(key.get(), note))
                .thenCompose(answer -> answer instanceof Refused refused && refused.seen() == null
                        ? call.askClaims(claims -> claims.note(key.get(), note))
                        : Stages.done(answer))
                .thenCompose(answer -> noted(answer, above));
    }

    private CompletionStage<Result> noted(ClaimAnswer answer, long above) {
        if (answer instanceof Unclear unclear) {
            return Stages.done(new Result.Unclear(unclear.cause()));
        }
        if (answer instanceof Refused refused) {
            SeenClaim seen = refused.seen();
            return seen == null || seen.leased() || ++tries > MAX_TRIES
                    ? Stages.done(new Result.Busy())
                    : note(Math.max(above, seen.claim().writeTs()));
        }
        noted = true;
        return run();
    }

    private CompletionStage<Result> delete() {
        long fence = call.rules().fenceOf(former.writeTs());
        return call.askRows(rows -> rows.delete(former.owner(), fence))
                .thenApply(deleted -> new Result.Up(Fence.DELETED));
    }

    // ---- 2b. the row has another value: write it again, above the claim's timestamp ----

    /** First the row's own values are claimed again for it, with timestamps that cover this write. */
    private final class Restoration {

        private final RowSnapshot row;
        private final Optional<ClaimKey> rowKey;
        private final List<ClaimKey> keys;
        private final Map<ClaimKey, Claim> ours = new HashMap<>();
        private long above = former.writeTs();

        Restoration(RowSnapshot row) {
            this.row = row;
            this.rowKey = call.rowClaim(row.owner()).map(WantedValue::key);
            this.keys = new ArrayList<>(WantedValue.keysOf(call.rows(), row));
            rowKey.ifPresent(keys::add);
        }

        CompletionStage<Result> run() {
            return call.rules().protectsRestoredValues()
                    ? Stages.all(keys, this::protect).thenCompose(this::isProtected)
                    : restore(row);
        }

        /**
         * What became of the claim of one of the row's values.
         *
         * @param key the value
         * @param claim what it should be
         * @param answer what the table said
         */
        private record Protection(ClaimKey key, Claim claim, ClaimAnswer answer) {}

        private CompletionStage<Protection> protect(ClaimKey key) {
            Claim claim = new Claim(row.owner(), call.parts().ids().get(), null, above + 1);
            Claim before = ours.get(key);
            if (before != null && before.writeTs() == claim.writeTs()) {
                return Stages.done(new Protection(key, before, new ClaimAnswer.Done()));
            }
            return call.askClaims(
                            claims -> before == null ? claims.protect(key, claim) : claims.replace(key, before, claim))
                    .thenCompose(answer -> isUnclaimedRow(key, answer)
                            ? call.askClaims(claims -> claims.create(key, claim))
                            : Stages.done(answer))
                    .thenApply(answer -> new Protection(key, claim, answer));
        }

        /** A row that was never written over has no claim of its own yet. */
        private boolean isUnclaimedRow(ClaimKey key, ClaimAnswer answer) {
            return answer instanceof Refused refused
                    && refused.seen() == null
                    && rowKey.filter(key::equals).isPresent();
        }

        private CompletionStage<Result> isProtected(List<Protection> protections) {
            boolean changed = false;
            boolean busy = false;
            long highest = above;
            for (Protection protection : protections) {
                if (protection.answer() instanceof Unclear unclear) {
                    return Stages.done(new Result.Unclear(unclear.cause()));
                }
                if (!(protection.answer() instanceof Refused refused)) {
                    ours.put(protection.key(), protection.claim());
                    continue;
                }
                SeenClaim seen = refused.seen();
                if (seen == null || !seen.isOf(row.owner()) || ours.containsKey(protection.key())) {
                    changed = true;
                } else if (seen.leased()) {
                    busy = true;
                } else {
                    highest = Math.max(highest, seen.claim().writeTs());
                }
            }
            if (changed) {
                return backOut().thenCompose(out -> FenceStep.this.run());
            }
            if (busy) {
                return backOut().thenApply(out -> new Result.Busy());
            }
            if (highest > above) {
                above = highest;
                return run();
            }
            return call.askRows(rows -> rows.readToRestore(row.owner()))
                    .thenCompose(now -> now.exists() && isAsBefore(now)
                            ? restore(now)
                            : backOut().thenCompose(out -> FenceStep.this.run()));
        }

        /** Takes back the leases, or the next try would find them in its way. */
        private CompletionStage<?> backOut() {
            return Stages.all(
                    List.copyOf(ours.entrySet()),
                    entry -> call.askClaims(claims ->
                            claims.settle(entry.getKey(), entry.getValue().claimId())));
        }

        /** Whether the constrained columns were not written since their values were claimed. */
        private boolean isAsBefore(RowSnapshot now) {
            for (UniqueConstraint constraint : call.rows().constraints()) {
                if (!now.value(constraint).equals(row.value(constraint))) {
                    return false;
                }
                for (int i = 0; i < constraint.components().size(); i++) {
                    if (now.writtenAt(constraint, i) != row.writtenAt(constraint, i)) {
                        return false;
                    }
                }
            }
            return true;
        }

        private CompletionStage<Result> restore(RowSnapshot now) {
            return call.askRows(rows -> rows.restore(now, above + 1))
                    .thenApply(restored -> new Result.Up(Fence.RESTORED));
        }
    }
}
