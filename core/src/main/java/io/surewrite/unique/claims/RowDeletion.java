package io.surewrite.unique.claims;

import io.surewrite.cql.FailureKind;
import io.surewrite.cql.WriteFailures;
import io.surewrite.unique.claims.ClaimStore.ClaimKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Deletes a row, and frees its values once the deletion is acknowledged. It goes by timestamps alone, with no id and no
 * lease, so that nothing of it does harm when it arrives late.
 */
final class RowDeletion {

    private final GuardCall call;
    private final Set<ClaimKey> values = new LinkedHashSet<>();

    /** Above a claim that was made again meanwhile: what was written, or restored, under it may still be on its way. */
    private long floor = RowSnapshot.NEVER;

    RowDeletion(GuardCall call) {
        this.call = call;
    }

    CompletionStage<Void> run() {
        return Stages.then(call.read(call.owner), this::decide, failure -> Stages.failed(call.noAnswer(failure)));
    }

    private CompletionStage<Void> decide(RowSnapshot row) {
        if (!row.exists() && floor == RowSnapshot.NEVER) {
            return Stages.done();
        }
        long above = row.newestWrite() == RowSnapshot.NEVER ? floor : Math.max(floor, row.newestWrite() + 1);
        values.addAll(WantedValue.keysOf(call.rows, row));
        call.writtenRow().map(WantedValue::key).ifPresent(values::add);
        return delete(Math.max(call.decidedAt(), above));
    }

    private CompletionStage<Void> delete(long timestamp) {
        boolean sentBefore = call.rowSent();
        call.rowSent(true);
        return Stages.then(
                call.ask(() -> call.rows.delete(call.owner, timestamp)),
                deleted -> call.release(List.copyOf(values), timestamp, this::overtaken),
                failure -> failed(failure, sentBefore, timestamp));
    }

    private CompletionStage<Void> failed(Throwable failure, boolean sentBefore, long timestamp) {
        FailureKind kind = WriteFailures.ofPlain(failure);
        if (kind == FailureKind.NOT_APPLIED || kind == FailureKind.WRONG_STATEMENT) {
            call.rowSent(sentBefore);
        }
        if (!kind.isRetryable()) {
            return Stages.failed(call.rowSent() ? call.unknown(failure) : failure);
        }
        long pause = call.nextPause();
        return call.isOver(pause) ? Stages.failed(call.noAnswer(failure)) : call.after(pause, () -> delete(timestamp));
    }

    private CompletionStage<Void> overtaken(long above) {
        floor = above + 1;
        long pause = call.nextPause();
        return call.isOver(pause) ? Stages.failed(call.unknown(null)) : call.after(pause, this::run);
    }
}
