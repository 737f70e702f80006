package io.surewrite.unique;

import io.surewrite.cql.FailureKind;
import io.surewrite.cql.WriteFailures;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/**
 * Writes a row that may exist. It is read first: if no constrained column changes, and nobody contests its values, only
 * the other columns are written. Where the primary key itself is constrained, even those would make a row again that was
 * deleted meanwhile, so everything is claimed.
 */
final class ChangeCall {

    private final GuardCall call;
    private final EntityWrite write;
    private final boolean whole;
    private final ClaimSet claims;

    /**
     * @param whole whether everything is claimed and written even if nothing changes
     */
    ChangeCall(GuardCall call, EntityWrite write, boolean whole) {
        this.call = call;
        this.write = write;
        this.whole = whole || call.rows().constraints().stream().anyMatch(call.rows()::isNaturalKey);
        this.claims = new ClaimSet(call, Values.targets(call.rows(), write, false));
    }

    CompletionStage<Void> run() {
        return call.read(call.owner())
                .handle((row, failure) -> failure == null
                        ? decide(row)
                        : CompletableFuture.<Void>failedFuture(call.unavailable(Failures.unwrap(failure))))
                .thenCompose(next -> next);
    }

    private CompletionStage<Void> decide(RowSnapshot row) {
        if (whole || !isUnchanged(row)) {
            return claimAndWrite(row, RowSnapshot.NEVER);
        }
        if (!call.rules().looksAtClaims()) {
            return writeOthers(row);
        }
        Optional<SettledRows.Shown> shown = shown(row);
        return All.of(claims.targets(), this::look)
                .thenCombine(lookForAFence(shown), Looked::new)
                .handle((looked, failure) -> {
                    if (failure != null) {
                        return CompletableFuture.<Void>failedFuture(call.unavailable(Failures.unwrap(failure)));
                    }
                    if (looked.fence() != RowSnapshot.NEVER && mayRemove(looked.fence(), oldestWrite(row))) {
                        return claimAndWrite(row, looked.fence());
                    }
                    shown.ifPresent(call.parts().settled()::add);
                    return looked.claims().stream().allMatch(this::isUncontested)
                            ? writeOthers(row)
                            : claimAndWrite(row, looked.fence());
                })
                .thenCompose(next -> next);
    }

    /**
     * What the table of claims showed.
     *
     * @param claims of the values
     * @param fence the timestamp of a fence that may be on its way, because of a value that the row does not show
     */
    private record Looked(List<Optional<SeenClaim>> claims, long fence) {}

    private CompletionStage<Optional<SeenClaim>> look(Target target) {
        return call.readClaim(target.key());
    }

    private Optional<SettledRows.Shown> shown(RowSnapshot row) {
        return call.rowTarget(call.owner())
                .filter(claimed -> call.rules().looksAtTheRow())
                .map(claimed -> new SettledRows.Shown(
                        claimed.key(),
                        oldestWrite(row),
                        call.rows().constraints().stream().map(row::value).toList()));
    }

    /** Once is enough for what a row shows. */
    private CompletionStage<Long> lookForAFence(Optional<SettledRows.Shown> shown) {
        return shown.filter(it -> !call.parts().settled().contains(it))
                .map(it -> call.readClaim(it.row())
                        .thenApply(seen ->
                                seen.map(claim -> claim.claim().writeTs()).orElse(RowSnapshot.NEVER)))
                .orElseGet(() -> CompletableFuture.completedFuture(RowSnapshot.NEVER));
    }

    /** Where others write without a claim of the row, one of them may have the very timestamp of a restoration. */
    private boolean mayRemove(long fence, long oldest) {
        return call.rows().mayMix() ? fence > oldest : fence >= oldest;
    }

    private long oldestWrite(RowSnapshot row) {
        return call.rows().constraints().stream()
                .flatMapToLong(
                        constraint -> IntStream.range(0, constraint.components().size())
                                .mapToLong(component -> row.writtenAt(constraint, component)))
                .filter(written -> written != RowSnapshot.NEVER)
                .min()
                .orElse(row.newestWrite());
    }

    private boolean isUnchanged(RowSnapshot row) {
        return row.exists()
                && call.rows().constraints().stream()
                        .allMatch(constraint -> row.value(constraint).equals(write.value(constraint)));
    }

    private boolean isUncontested(Optional<SeenClaim> seen) {
        return seen.isPresent() && seen.get().isOf(call.owner()) && !seen.get().contested();
    }

    private CompletionStage<Void> claimAndWrite(RowSnapshot row, long fenced) {
        long newest = Math.max(row.newestWrite(), fenced);
        call.pinFirst(newest == RowSnapshot.NEVER ? RowSnapshot.NEVER : newest + 1);
        claims.claimRow();
        List<ClaimKey> oldValues = Values.claimed(call.rows(), row);
        boolean overNothing = !row.exists()
                || claims.targets().stream()
                        .anyMatch(target -> row.value(target.constraint()).hasNull());
        return new GuardedWrite(call, write, claims, oldValues, overNothing).run();
    }

    private CompletionStage<Void> writeOthers(RowSnapshot row) {
        long timestamp = Math.max(call.decidedAt(), row.newestWrite() + 1);
        return writeOthers(timestamp, false);
    }

    private CompletionStage<Void> writeOthers(long timestamp, boolean sentBefore) {
        return call.ask(() -> write.writeOthers(timestamp))
                .handle((written, thrown) -> {
                    if (thrown == null) {
                        return CompletableFuture.<Void>completedFuture(null);
                    }
                    Throwable failure = Failures.unwrap(thrown);
                    FailureKind kind = WriteFailures.ofPlain(failure);
                    boolean sent = sentBefore || kind == FailureKind.UNKNOWN || kind == FailureKind.DECIDED;
                    if (!kind.isRetryable()) {
                        return CompletableFuture.<Void>failedFuture(sentBefore ? call.unknown(failure) : failure);
                    }
                    long pause = call.nextPause();
                    if (call.isOver(pause)) {
                        return CompletableFuture.<Void>failedFuture(
                                sent ? call.unknown(failure) : call.unavailable(failure));
                    }
                    return call.after(pause, () -> writeOthers(timestamp, sent));
                })
                .thenCompose(next -> next);
    }
}
