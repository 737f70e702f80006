package io.surewrite.unique;

import io.surewrite.cql.FailureKind;
import io.surewrite.cql.WriteFailures;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Deletes a row, and frees its values once the deletion is acknowledged. It goes by timestamps alone, with no id and no
 * lease, so that nothing of it does harm when it arrives late.
 */
final class DeleteCall {

    private final GuardCall call;
    private final Set<ClaimKey> values = new LinkedHashSet<>();

    /** Above a claim that was made again meanwhile: what was written, or restored, under it may still be on its way. */
    private long floor = RowSnapshot.NEVER;

    DeleteCall(GuardCall call) {
        this.call = call;
    }

    CompletionStage<Void> run() {
        return call.read(call.owner())
                .handle((row, failure) -> failure == null
                        ? decide(row)
                        : CompletableFuture.<Void>failedFuture(call.noAnswer(Failures.unwrap(failure))))
                .thenCompose(next -> next);
    }

    private CompletionStage<Void> decide(RowSnapshot row) {
        if (!row.exists() && floor == RowSnapshot.NEVER) {
            return CompletableFuture.completedFuture(null);
        }
        long above = row.newestWrite() == RowSnapshot.NEVER ? floor : Math.max(floor, row.newestWrite() + 1);
        long timestamp = Math.max(call.decidedAt(), above);
        values.addAll(Values.claimed(call.rows(), row));
        call.writtenRow().map(Target::key).ifPresent(values::add);
        return delete(timestamp, List.copyOf(values));
    }

    private CompletionStage<Void> delete(long timestamp, List<ClaimKey> values) {
        boolean sentBefore = call.rowSent();
        call.rowSent(true);
        return call.ask(() -> call.rows().delete(call.owner(), timestamp))
                .handle((deleted, failure) -> failure == null
                        ? release(timestamp, values)
                        : failed(Failures.unwrap(failure), sentBefore, timestamp, values))
                .thenCompose(next -> next);
    }

    private CompletionStage<Void> failed(Throwable failure, boolean sentBefore, long timestamp, List<ClaimKey> values) {
        FailureKind kind = WriteFailures.ofPlain(failure);
        if (kind == FailureKind.NOT_APPLIED || kind == FailureKind.WRONG_STATEMENT) {
            call.rowSent(sentBefore);
        }
        if (!kind.isRetryable()) {
            return CompletableFuture.failedFuture(call.rowSent() ? call.unknown(failure) : failure);
        }
        long pause = call.nextPause();
        if (call.isOver(pause)) {
            return CompletableFuture.failedFuture(call.noAnswer(failure));
        }
        return call.after(pause, () -> delete(timestamp, values));
    }

    private CompletionStage<Void> release(long timestamp, List<ClaimKey> values) {
        return ReleaseStep.run(call, values, timestamp).thenCompose(released -> {
            if (released.unclear() != null) {
                return CompletableFuture.failedFuture(call.unknown(released.unclear()));
            }
            Long overtaken = released.overtaken();
            if (overtaken == null || !call.rules().heedsOvertakenRelease()) {
                return CompletableFuture.completedFuture(null);
            }
            floor = overtaken + 1;
            long pause = call.nextPause();
            return call.isOver(pause)
                    ? CompletableFuture.failedFuture(call.unknown(null))
                    : call.after(pause, this::run);
        });
    }
}
