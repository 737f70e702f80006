package io.surewrite.unique;

import io.surewrite.unique.ClaimAnswer.Refused;
import io.surewrite.unique.UniqueListener.Fence;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * Writes a row again as it is, above an old claim's timestamp, so that nothing sent under that claim can change it any
 * more. First the row's own values are claimed again for it, with timestamps that cover this write.
 */
final class Restoration {

    private final GuardCall call;
    private final RowSnapshot row;
    private final FenceStep fence;
    private final List<ClaimKey> keys;
    private final Map<ClaimKey, Claim> ours = new HashMap<>();
    private long above;

    /**
     * @param above the old claim's timestamp
     * @param fence begins again when the row is not what it was
     */
    Restoration(GuardCall call, RowSnapshot row, long above, FenceStep fence) {
        this.call = call;
        this.row = row;
        this.fence = fence;
        this.above = above;
        this.keys = Values.claimedWithRow(call, row);
    }

    CompletionStage<FenceResult> run() {
        if (!call.rules().protectsRestoredValues()) {
            return restore(row);
        }
        return All.of(keys, this::protect).thenCompose(this::isProtected);
    }

    private CompletionStage<Protection> protect(ClaimKey key) {
        ClaimStore claims = call.parts().claims();
        UUID id = call.parts().ids().get();
        Claim claim = new Claim(row.owner(), id, null, above + 1);
        Claim before = ours.get(key);
        if (before != null && before.writeTs() == claim.writeTs()) {
            return call.ask(() -> All.done(new Protection(key, before, new ClaimAnswer.Done())));
        }
        return call.askClaims(() -> before == null ? claims.protect(key, claim) : claims.replace(key, before, claim))
                .thenCompose(answer -> isUnclaimedRow(key, answer)
                        ? call.askClaims(() -> claims.create(key, claim))
                        : All.done(answer))
                .thenApply(answer -> new Protection(key, claim, answer));
    }

    /** A row that was never written over has no claim of its own yet. */
    private boolean isUnclaimedRow(ClaimKey key, ClaimAnswer answer) {
        return answer instanceof Refused refused
                && refused.seen() == null
                && call.rowTarget(row.owner())
                        .filter(target -> target.key().equals(key))
                        .isPresent();
    }

    /**
     * What became of the claim of one of the row's values.
     *
     * @param key the value
     * @param claim what it should be
     * @param answer what the table said
     */
    private record Protection(ClaimKey key, Claim claim, ClaimAnswer answer) {}

    private CompletionStage<FenceResult> isProtected(List<Protection> protections) {
        boolean changed = false;
        boolean busy = false;
        long highest = above;
        for (Protection protection : protections) {
            if (protection.answer() instanceof ClaimAnswer.Unclear unclear) {
                return FenceStep.done(new FenceResult.Unclear(unclear.cause()));
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
            return backOut().thenCompose(out -> fence.run());
        }
        if (busy) {
            return backOut().thenApply(out -> new FenceResult.Busy());
        }
        if (highest > above) {
            above = highest;
            return run();
        }
        return call.askRows(rows -> rows.readToRestore(row.owner())).thenCompose(this::readAgain);
    }

    private CompletionStage<FenceResult> readAgain(RowSnapshot now) {
        return now.exists() && isAsBefore(now) ? restore(now) : backOut().thenCompose(out -> fence.run());
    }

    /** Takes back the leases, or the next try would find them in its way. */
    private CompletionStage<?> backOut() {
        return All.of(
                List.copyOf(ours.entrySet()),
                entry -> call.askClaims(() -> call.parts()
                        .claims()
                        .settle(entry.getKey(), entry.getValue().claimId())));
    }

    /** Whether nobody has written the constrained columns since their values were claimed. */
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

    private CompletionStage<FenceResult> restore(RowSnapshot now) {
        return call.askRows(rows -> rows.restore(now, above + 1))
                .thenApply(restored -> new FenceResult.Up(Fence.RESTORED));
    }
}
