package io.surewrite.unique.claims;

import io.surewrite.cql.FailureKind;
import io.surewrite.cql.WriteFailures;
import io.surewrite.unique.UniqueValue;
import io.surewrite.unique.claims.ClaimStore.ClaimKey;
import io.surewrite.unique.claims.ClaimStore.SeenClaim;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/**
 * Writes a row: looks at it if it may exist, claims its values, writes it, and frees its old values. What is not
 * acknowledged in time is done again, under new claims and a later timestamp.
 */
final class RowWrite {

    private static final long FIRST_STEP_BACK = 1_000;
    private static final int MAX_STEPS_BACK = 7;

    private final GuardCall call;
    private final EntityWrite write;
    private final ClaimSet claims;

    /** The values that the row has had, and does not keep. */
    private List<ClaimKey> oldValues = List.of();

    /** Whether the row may be dead on arrival, because there was none, or a part of it was null. */
    private boolean readsBack;

    private int stepsBack;

    /**
     * @param isNew whether the row is new
     */
    RowWrite(GuardCall call, EntityWrite write, boolean isNew) {
        this.call = call;
        this.write = write;
        this.claims = new ClaimSet(call, WantedValue.allOf(call.rows, write, isNew));
    }

    /** Writes a new row. */
    CompletionStage<Void> insert() {
        call.pinFirst(RowSnapshot.NEVER);
        if (call.rows.claimsEveryWrite()) {
            claims.claimRow();
        }
        // Where the primary key itself is a value, there may have been a row.
        return claimAndWrite(List.of(), claims.values().stream().anyMatch(WantedValue::decidesOwner));
    }

    /**
     * Writes a row that may exist. If no constrained column changes, and its values are not contested, only the other
     * columns are written. Where the primary key itself is constrained, even those would make a row again that was deleted
     * meanwhile, and where writes of one timestamp unite, they may have another's, so everything is claimed.
     *
     * @param whole whether everything is claimed and written even if nothing changes
     */
    CompletionStage<Void> change(boolean whole) {
        if (call.rows.claimsEveryWrite()) {
            claims.claimRow();
            return Stages.then(
                    claims.look().thenCombine(call.read(call.owner), (looked, row) -> row),
                    row -> claimAndWrite(row, RowSnapshot.NEVER),
                    failure -> Stages.failed(call.unavailable(failure)));
        }
        boolean always = whole || call.rows.constraints().stream().anyMatch(call.rows::isNaturalKey);
        return Stages.then(
                call.read(call.owner),
                row -> always || !isUnchanged(row) ? claimAndWrite(row, RowSnapshot.NEVER) : lookAtClaims(row),
                failure -> Stages.failed(call.unavailable(failure)));
    }

    private boolean isUnchanged(RowSnapshot row) {
        return row.exists()
                && call.rows.constraints().stream()
                        .allMatch(constraint -> row.value(constraint).equals(write.value(constraint)));
    }

    // ---- 1. unchanged values: look whether they are contested, and write the other columns ----

    private CompletionStage<Void> lookAtClaims(RowSnapshot row) {
        if (!call.rules().looksAtClaims()) {
            return writeOthers(row);
        }
        Optional<FenceCheckedRows.Shown> shown = shown(row);
        return Stages.then(
                Stages.all(claims.values(), value -> call.readClaim(value.key()))
                        .thenCombine(lookForAFence(shown), Looked::new),
                looked -> {
                    boolean endangered =
                            looked.fence() != RowSnapshot.NEVER && mayRemove(looked.fence(), oldestWrite(row));
                    if (!endangered) {
                        shown.ifPresent(call.parts.checked()::add);
                    }
                    return !endangered && areTheRows(looked.claims(), row)
                            ? writeOthers(row)
                            : claimAndWrite(row, looked.fence());
                },
                failure -> Stages.failed(call.unavailable(failure)));
    }

    /**
     * What the table of claims showed.
     *
     * @param claims of the values
     * @param fence the timestamp of a fence that may be on its way, because of a value that the row does not show
     */
    private record Looked(List<Optional<SeenClaim>> claims, long fence) {}

    private boolean areTheRows(List<Optional<SeenClaim>> seen, RowSnapshot row) {
        return IntStream.range(0, seen.size()).allMatch(i -> {
            long written = row.writtenAt(claims.values().get(i).constraint());
            return seen.get(i).filter(claim -> isTheRows(claim, written)).isPresent();
        });
    }

    private boolean isTheRows(SeenClaim seen, long written) {
        return seen.isOf(call.owner)
                && !seen.contested()
                && call.rules().stays(seen.claim().writeTs(), written);
    }

    private Optional<FenceCheckedRows.Shown> shown(RowSnapshot row) {
        return call.rowClaim(call.owner)
                .filter(claimed -> call.rules().looksAtTheRow())
                .map(claimed -> new FenceCheckedRows.Shown(
                        claimed.key(),
                        oldestWrite(row),
                        call.rows.constraints().stream().map(row::value).toList()));
    }

    /** Once is enough for what a row shows. */
    private CompletionStage<Long> lookForAFence(Optional<FenceCheckedRows.Shown> shown) {
        return shown.isEmpty() || call.parts.checked().contains(shown.get())
                ? Stages.done(RowSnapshot.NEVER)
                : call.readClaim(shown.get().row())
                        .thenApply(seen ->
                                seen.map(claim -> claim.claim().writeTs()).orElse(RowSnapshot.NEVER));
    }

    /** Where others write without a claim of the row, one of them may have the very timestamp of a restoration. */
    private boolean mayRemove(long fence, long oldest) {
        return call.rows.mayMix() ? fence > oldest : fence >= oldest;
    }

    private long oldestWrite(RowSnapshot row) {
        return call.rows.constraints().stream()
                .flatMapToLong(
                        constraint -> IntStream.range(0, constraint.components().size())
                                .mapToLong(component -> row.writtenAt(constraint, component)))
                .filter(written -> written != RowSnapshot.NEVER)
                .min()
                .orElse(row.newestWrite());
    }

    private CompletionStage<Void> writeOthers(RowSnapshot row) {
        return writeOthers(Math.max(call.decidedAt(), row.newestWrite() + 1), false);
    }

    private CompletionStage<Void> writeOthers(long timestamp, boolean sentBefore) {
        return Stages.then(call.ask(() -> write.writeOthers(timestamp)), written -> Stages.done(), failure -> {
            FailureKind kind = WriteFailures.ofPlain(failure);
            boolean sent = sentBefore || kind == FailureKind.UNKNOWN || kind == FailureKind.DECIDED;
            if (!kind.isRetryable()) {
                return Stages.failed(sentBefore ? call.unknown(failure) : failure);
            }
            long pause = call.nextPause();
            if (call.isOver(pause)) {
                return Stages.failed(sent ? call.unknown(failure) : call.unavailable(failure));
            }
            return call.after(pause, () -> writeOthers(timestamp, sent));
        });
    }

    // ---- 2. claim ----

    private CompletionStage<Void> claimAndWrite(RowSnapshot row, long fenced) {
        long newest = Math.max(row.newestWrite(), fenced);
        call.pinFirst(newest == RowSnapshot.NEVER ? RowSnapshot.NEVER : newest + 1);
        claims.claimRow();
        boolean overNothing = !row.exists()
                || claims.values().stream()
                        .anyMatch(wanted -> row.value(wanted.constraint()).hasNull());
        return claimAndWrite(WantedValue.keysOf(call.rows, row), overNothing);
    }

    private CompletionStage<Void> claimAndWrite(List<ClaimKey> before, boolean overNothing) {
        oldValues = before.stream().filter(value -> !claims.contains(value)).toList();
        readsBack = overNothing && call.rules().readsBack();
        return claims.claim()
                .thenCompose(claimed -> claims.heedReported(before))
                .thenCompose(free -> send());
    }

    // ---- 3. write ----

    private CompletionStage<Void> send() {
        if (isLate()) {
            return slow(0, 0);
        }
        boolean sentBefore = call.rowSent();
        call.rowSent(true);
        return Stages.then(
                call.ask(() -> write.write(call.pin().timestamp())),
                written -> acknowledged(),
                failure -> failed(failure, sentBefore));
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
            return Stages.failed(failure);
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
        call.parts.listener().slow(call.operation);
        // A step beyond an unseen deletion waits for no other process: only its timestamp is too low.
        long pause = step > 0 && stepsBack <= MAX_STEPS_BACK ? 0 : call.nextPause();
        if (call.isOver(pause)) {
            return claims.fail(call.noAnswer(null));
        }
        return call.after(pause, () -> {
            call.pinAgain(above, step);
            return claims.claimAgain().thenCompose(claimed -> send());
        });
    }

    // ---- 4. read back ----

    private CompletionStage<Void> readBack() {
        return Stages.then(
                call.read(call.owner),
                row -> isThere(row) ? release() : slow(0, stepBack()),
                failure -> claims.fail(call.unknown(failure)));
    }

    private boolean isThere(RowSnapshot row) {
        return row.exists()
                && claims.values().stream()
                        .allMatch(wanted -> hasNoMoreNulls(row.value(wanted.constraint()), wanted.value()));
    }

    private static boolean hasNoMoreNulls(UniqueValue shown, UniqueValue written) {
        return IntStream.range(0, shown.parts().size())
                .noneMatch(i -> shown.parts().get(i) == null && written.parts().get(i) != null);
    }

    /** {@return how far to go beyond the clock, in microseconds: something unseen has a later timestamp} */
    private long stepBack() {
        return FIRST_STEP_BACK * (long) Math.pow(10, Math.min(stepsBack++, MAX_STEPS_BACK));
    }

    // ---- 5. free the old values ----

    private CompletionStage<Void> release() {
        return call.release(oldValues, call.pin().timestamp(), overtaken -> slow(overtaken, 0));
    }
}
