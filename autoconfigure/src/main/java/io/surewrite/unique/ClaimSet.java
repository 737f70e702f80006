package io.surewrite.unique;

import io.surewrite.unique.ClaimAnswer.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The claims of one call, made all at once. Its stages complete exceptionally when a value is not to be had; then nothing
 * is left but what must run out by itself.
 */
final class ClaimSet {

    private final GuardCall call;
    private final List<Target> targets;
    private final List<Holding> holdings = new ArrayList<>();

    /**
     * @param targets the values of the row
     */
    ClaimSet(GuardCall call, List<Target> targets) {
        this.call = call;
        this.targets = List.copyOf(targets);
        targets.forEach(target -> holdings.add(new Holding(target)));
    }

    /** From now on others may know the row: where two of them must not have the same timestamp, it is claimed as well. */
    void claimRow() {
        if (holdings.size() == targets.size()) {
            call.writtenRow().ifPresent(row -> holdings.add(new Holding(row)));
        }
    }

    boolean isEmpty() {
        return holdings.isEmpty();
    }

    boolean contains(ClaimKey key) {
        return holdings.stream().anyMatch(holding -> holding.target().key().equals(key));
    }

    /** {@return the values of the row} */
    List<Target> targets() {
        return targets;
    }

    /** Claims every value at the call's pinned timestamp. */
    CompletionStage<Void> claim() {
        return claim(holdings);
    }

    private CompletionStage<Void> claim(List<Holding> wanted) {
        return All.of(wanted, this::claim).thenCompose(this::decide);
    }

    /**
     * How the attempt to claim one value ended.
     *
     * @param holding the value
     * @param result what became of it
     */
    private record Attempt(Holding holding, ClaimResult result) {}

    private CompletionStage<Attempt> claim(Holding holding) {
        return new ClaimStep(call, holding.target()).run().thenApply(result -> new Attempt(holding, result));
    }

    private CompletionStage<Void> decide(List<Attempt> attempts) {
        List<Violation> violations = new ArrayList<>();
        List<Holding> pending = new ArrayList<>();
        Throwable unclear = null;
        long seen = Long.MIN_VALUE;
        for (Attempt attempt : attempts) {
            Target target = attempt.holding().target();
            if (attempt.result() instanceof ClaimResult.Held held) {
                attempt.holding().held(pinnedClaim(), held.created());
            } else if (attempt.result() instanceof ClaimResult.Rise rise) {
                seen = Math.max(seen, rise.seen());
            } else if (attempt.result() instanceof ClaimResult.Pending) {
                pending.add(attempt.holding());
            } else if (attempt.result() instanceof ClaimResult.Unclear failed) {
                unclear = failed.cause();
            } else {
                call.parts().listener().duplicate(target.constraint().name());
                violations.add(new Violation(
                        target.constraint().name(),
                        target.constraint().properties(),
                        target.key().value()));
            }
        }
        if (!violations.isEmpty()) {
            return fail(new DuplicateValueException(
                    violations, call.parts().settings().valuesInMessages()));
        }
        if (unclear != null) {
            return fail(call.noAnswer(unclear));
        }
        if (seen != Long.MIN_VALUE) {
            return rise(seen);
        }
        return pending.isEmpty() ? CompletableFuture.completedFuture(null) : await(pending);
    }

    private Claim pinnedClaim() {
        return new Claim(
                call.owner(), call.pin().claimId(), call.origin(), call.pin().timestamp());
    }

    /** Claims everything again above a timestamp that was seen. */
    CompletionStage<Void> rise(long seen) {
        long pause = call.nextPause();
        if (call.isOver(pause)) {
            return fail(call.noAnswer(null));
        }
        claimRow();
        // From here on the claims are such as existed before: they are refreshed, not created.
        holdings.forEach(
                holding -> holding.held(Objects.requireNonNullElseGet(holding.claim(), this::pinnedClaim), false));
        call.pinAbove(seen);
        return claim();
    }

    private CompletionStage<Void> await(List<Holding> pending) {
        long pause = call.nextPause();
        if (call.waited() + pause <= call.parts().settings().pendingWait().toNanos()) {
            return call.after(pause, () -> claim(pending));
        }
        return failPending(pending.get(0));
    }

    private CompletionStage<Void> failPending(Holding pending) {
        return call.ask(() -> call.parts().claims().read(pending.target().key()))
                .handle((seen, failure) -> new ClaimPendingException(
                        pending.target().constraint().name(),
                        failure != null || seen.isEmpty()
                                ? java.time.Duration.ZERO
                                : seen.get().leaseLeft()))
                .thenCompose(this::fail);
    }

    /**
     * Claims everything again, each in the place of the claim that is held, at the timestamp that the call has pinned
     * since.
     */
    CompletionStage<Void> claimAgain() {
        List<Holding> held =
                holdings.stream().filter(holding -> holding.claim() != null).toList();
        claimRow();
        return All.of(held, this::claimAgain).thenCompose(this::decideAgain).thenCompose(again -> {
            List<Holding> missing =
                    holdings.stream().filter(holding -> holding.claim() == null).toList();
            return missing.isEmpty() ? CompletableFuture.completedFuture(null) : claim(missing);
        });
    }

    /**
     * What a claim in the place of another met.
     *
     * @param holding the value
     * @param answer what the table said
     */
    private record Again(Holding holding, ClaimAnswer answer) {}

    private CompletionStage<Again> claimAgain(Holding holding) {
        Claim held = Objects.requireNonNull(holding.claim());
        return call.askClaims(
                        () -> call.parts().claims().replace(holding.target().key(), held, pinnedClaim()))
                .thenApply(answer -> new Again(holding, answer));
    }

    private CompletionStage<Void> decideAgain(List<Again> answers) {
        Throwable unclear = null;
        Holding lost = null;
        long seen = Long.MIN_VALUE;
        for (Again again : answers) {
            if (again.answer() instanceof ClaimAnswer.Unclear failed) {
                unclear = failed.cause();
            } else if (!(again.answer() instanceof Refused refused)) {
                again.holding().held(pinnedClaim(), false);
            } else if (refused.seen() == null || !refused.seen().isOf(call.owner())) {
                lost = again.holding();
            } else {
                seen = Math.max(seen, refused.seen().claim().writeTs());
            }
        }
        if (lost != null) {
            return failPending(lost);
        }
        if (unclear != null) {
            return fail(call.noAnswer(unclear));
        }
        return seen == Long.MIN_VALUE ? CompletableFuture.completedFuture(null) : rise(seen);
    }

    /**
     * Ends the call. If the row was sent, and is there, others may have built on it, or kept a part of it; if it is not
     * there, it is dead: nobody gets a claim of ours without killing what was sent under it.
     */
    CompletionStage<Void> fail(RuntimeException failure) {
        if (!call.rowSent()) {
            return abandon().thenCompose(abandoned -> CompletableFuture.failedFuture(failure));
        }
        if (failure instanceof io.surewrite.cql.UnknownOutcomeException) {
            return CompletableFuture.failedFuture(failure);
        }
        return call.read(call.owner())
                .handle((row, unread) -> {
                    if (unread != null) {
                        return call.unknown(Failures.unwrap(unread));
                    }
                    return row.exists()
                            ? new SupersededException(
                                    "%s: another operation took over while the row was being written; the row may be written, in part or in whole. Calling it again with the same arguments settles it"
                                            .formatted(call.operation()))
                            : failure;
                })
                .thenCompose(CompletableFuture::failedFuture);
    }

    /** Frees what this call has claimed; not knowing whether it worked does no harm. */
    private CompletionStage<?> abandon() {
        List<Holding> ours = holdings.stream()
                .filter(holding ->
                        holding.claim() != null && call.rules().mayAbandon(holding.isCreated(), call.rowSent()))
                .toList();
        return All.of(
                ours,
                holding -> call.askClaims(() -> call.parts()
                        .claims()
                        .abandon(
                                holding.target().key(),
                                Objects.requireNonNull(holding.claim()).claimId())));
    }
}
