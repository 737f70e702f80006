package io.surewrite.unique;

import io.surewrite.unique.ClaimStore.ClaimKey;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import io.surewrite.unique.UniqueRules.Rule;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Writes a row as a whole at one timestamp: claims its values at that timestamp, sends it, and frees the values that it had
 * before. What is acknowledged too late counts only if no takeover has fenced the row.
 */
final class RowWrite {

    private final GuardCall call;
    private final EntityWrite write;
    private final boolean isNew;
    private final ClaimSet claims;
    private List<ClaimKey> before = List.of();

    RowWrite(GuardCall call, EntityWrite write, boolean isNew) {
        this.call = call;
        this.write = write;
        this.isNew = isNew;
        this.claims = new ClaimSet(call, WantedValue.allOf(call.rows, write, isNew), isNew);
    }

    CompletionStage<Void> run() {
        call.decide();
        if (!isNew) {
            call.readsAhead();
        }
        return claims.claim()
                .thenCompose(claimed -> mayHaveOldValues() ? readOldValues() : Stages.done())
                .thenCompose(read -> send());
    }

    /** Not read where the row keeps all its values; and a value that is left behind costs another writer a takeover only. */
    private boolean mayHaveOldValues() {
        boolean keepsAll = claims.gainsNothing() && call.rows.constraints().size() == claims.size();
        return !(isNew && claims.areAllCreated()) && !keepsAll;
    }

    private CompletionStage<Void> readOldValues() {
        return Stages.then(
                call.shown(),
                row -> {
                    before = WantedValue.keysOf(call.rows.constraints(), row);
                    return Stages.done();
                },
                failure -> claims.fail(call.unavailable(failure)));
    }

    private CompletionStage<Void> send() {
        CompletionStage<Void> ready =
                call.keeps(Rule.RELEASED_AFTER_THE_WRITE) ? Stages.done() : call.release(oldValues());
        return ready.thenCompose(released -> call.sendRow(
                Rule.LATE_WRITES_READ_THE_FENCE,
                () -> write.writing().apply(call.timestamp()),
                () -> call.release(oldValues()),
                claims::fail));
    }

    private List<ClaimKey> oldValues() {
        return before.stream().filter(value -> !claims.contains(value)).toList();
    }
}
