package io.surewrite.unique;

import io.surewrite.unique.ClaimStore.ClaimKey;
import io.surewrite.unique.UniqueRules.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Deletes a row, and frees its values once the deletion is acknowledged. It claims nothing and goes by timestamps alone, so
 * that nothing of it does harm when it arrives late.
 */
record RowDeletion(GuardCall call) {

    CompletionStage<Void> run() {
        return Stages.then(call.read(call.owner), this::delete, failure -> Stages.failed(call.noAnswer(failure)));
    }

    /**
     * What was seen is to go, though a fast clock may have written it. A timestamp that is pinned stays. A row that was not
     * seen is deleted, too: its write may be on its way.
     */
    private CompletionStage<Void> delete(RowSnapshot row) {
        long newest = row.newestWrite();
        call.decideDeletion(newest == RowSnapshot.NEVER ? newest : newest + 1);
        List<ClaimKey> values = new ArrayList<>(WantedValue.keysOf(call.rows.constraints(), row));
        if (call.rows.mayMix()) {
            values.add(call.row());
        }
        return call.sendRow(
                Rule.LATE_DELETIONS_READ_THE_FENCE,
                () -> call.rows.delete(call.owner, call.timestamp()),
                () -> call.release(values),
                Stages::failed);
    }
}
