package io.surewrite.unique.claims;

import io.surewrite.cql.UnknownOutcomeException;
import io.surewrite.unique.ClaimPendingException;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.SupersededException;
import io.surewrite.unique.UniqueConstraint;
import io.surewrite.unique.Violation;
import io.surewrite.unique.claims.ClaimStore.Claim;
import io.surewrite.unique.claims.ClaimStore.ClaimAnswer;
import io.surewrite.unique.claims.ClaimStore.ClaimAnswer.Refused;
import io.surewrite.unique.claims.ClaimStore.ClaimKey;
import io.surewrite.unique.claims.ClaimStore.SeenClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The claims of one call, made all at once. Its stages complete exceptionally when a value is not to be had; then nothing
 * is left but what must run out by itself.
 */
final class ClaimSet {

    /** One order for all calls in which they wait. */
    private static final Comparator<Held> RANK = Comparator.<Held, String>comparing(
                    held -> held.wanted.key().constraint())
            .thenComparing(held -> held.wanted.key().value());

    private final GuardCall call;
    private final List<WantedValue> values;
    private final List<Held> all = new ArrayList<>();

    /** A value that the call wants, and the claim that it has on it. */
    private static final class Held {

        private final WantedValue wanted;
        private @Nullable Claim claim;
        private boolean created;

        /** What was read before the first round, if anything was. */
        private @Nullable SeenClaim seen;

        private Held(WantedValue wanted) {
            this.wanted = wanted;
        }

        private void by(Claim made, boolean createdByThisCall) {
            claim = made;
            created = createdByThisCall;
        }

        /** What was read is good for one attempt. */
        private @Nullable SeenClaim takeSeen() {
            SeenClaim taken = seen;
            seen = null;
            return taken;
        }

        /** Also where a rise took it for one that is held: it is claimed once more before the row is sent. */
        private void isAnothers() {
            claim = null;
            created = false;
            seen = null;
        }
    }

    /**
     * @param values the values of the row
     */
    ClaimSet(GuardCall call, List<WantedValue> values) {
        this.call = call;
        this.values = List.copyOf(values);
        values.forEach(value -> all.add(new Held(value)));
    }

    /** {@return the values of the row} */
    List<WantedValue> values() {
        return values;
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    boolean contains(ClaimKey key) {
        return all.stream().anyMatch(held -> held.wanted.key().equals(key));
    }

    /** From now on others may know the row: where two of them must not have the same timestamp, it is claimed as well. */
    void claimRow() {
        if (all.size() == values.size()) {
            call.writtenRow().ifPresent(row -> all.add(new Held(row)));
        }
    }

    /** Reads all claims, so that those which the row has already are replaced at the first attempt. */
    CompletionStage<?> look() {
        return Stages.all(
                all, held -> call.readClaim(held.wanted.key()).thenApply(seen -> held.seen = seen.orElse(null)));
    }

    // ---- the first round, and every round after a rise ----

    /** Claims every value at the call's pinned timestamp. */
    CompletionStage<Void> claim() {
        return claim(all);
    }

    private CompletionStage<Void> claim(List<Held> wanted) {
        return Stages.all(wanted, held -> ClaimStep.claim(call, held.wanted, held.takeSeen()))
                .thenCompose(results -> decide(wanted, results, false));
    }

    /**
     * @param again whether all were claimed before, so that there is no use in waiting for one that was lost
     */
    private CompletionStage<Void> decide(List<Held> wanted, List<ClaimStep.Result> results, boolean again) {
        List<Violation> violations = new ArrayList<>();
        List<Held> pending = new ArrayList<>();
        Throwable unclear = null;
        long seen = RowSnapshot.NEVER;
        for (int i = 0; i < results.size(); i++) {
            Held held = wanted.get(i);
            ClaimStep.Result result = results.get(i);
            if (result instanceof ClaimStep.Result.Held ours) {
                held.by(call.pinnedClaim(), ours.created());
            } else if (result instanceof ClaimStep.Result.Rise rise) {
                seen = Math.max(seen, rise.seen());
            } else if (result instanceof ClaimStep.Result.Pending) {
                if (!again) {
                    held.isAnothers();
                }
                pending.add(held);
            } else if (result instanceof ClaimStep.Result.Unclear failed) {
                unclear = failed.cause();
            } else {
                violations.add(violation(held.wanted));
            }
        }
        if (!violations.isEmpty()) {
            return fail(duplicate(violations));
        }
        if (again && !pending.isEmpty()) {
            return failPending(
                    pending.get(0).wanted, claim -> fail(stillPending(pending.get(0).wanted, claim.leaseLeft())));
        }
        if (unclear != null) {
            return fail(call.noAnswer(unclear));
        }
        if (seen != RowSnapshot.NEVER) {
            return rise(seen);
        }
        return pending.isEmpty() ? Stages.done() : await(pending);
    }

    /** Claims everything again above a timestamp that was seen. */
    private CompletionStage<Void> rise(long seen) {
        long pause = call.nextPause();
        if (call.isOver(pause)) {
            return fail(call.noAnswer(null));
        }
        claimRow();
        // From here on the claims are such as existed before: they are refreshed, not created.
        all.forEach(held -> held.by(Objects.requireNonNullElseGet(held.claim, call::pinnedClaim), false));
        call.pinAbove(seen);
        return claim();
    }

    /**
     * Waits for the first of the values in rank, and touches the others only when that is decided: of many calls that want the
     * same values, those that wait would otherwise hold the others by turns, and keep them from the one call that could go on.
     */
    private CompletionStage<Void> await(List<Held> pending) {
        Held first = Collections.min(pending, RANK);
        long pause = call.nextPause();
        if (call.waited() + pause > call.parts.settings().pendingWait().toNanos()) {
            return failPending(first.wanted, seen -> lookAtRow(first.wanted, seen));
        }
        List<Held> back = outOfOrder(first);
        CompletionStage<?> given = back.isEmpty() ? Stages.done() : giveBack(back);
        return given.thenCompose(
                        ready -> call.after(pause, () -> ClaimStep.claim(call, first.wanted, first.takeSeen())))
                .thenCompose(result -> result instanceof ClaimStep.Result.Duplicate && pending.size() > 1
                        ? claim(pending) // which of the others are duplicates, too
                        : decide(List.of(first), List.of(result), false).thenCompose(claimed -> claimMissing()));
    }

    /**
     * What this call holds and ranks behind a value that it waits for. Two calls of which each holds what the other waits for
     * would both wait in vain.
     */
    private List<Held> outOfOrder(Held first) {
        return all.stream()
                .filter(held -> held.claim != null
                        && RANK.compare(held, first) > 0
                        && call.rules().mayGiveBack(held.created, call.rowSent()))
                .toList();
    }

    /** Whether it worked is not asked: what is claimed again is not what a late statement gives back. */
    private CompletionStage<?> giveBack(List<Held> back) {
        return abandon(back).thenRun(() -> {
            back.forEach(Held::isAnothers);
            call.pinUnderAnotherId();
        });
    }

    private CompletionStage<Void> claimMissing() {
        List<Held> missing = all.stream().filter(held -> held.claim == null).toList();
        return missing.isEmpty() ? Stages.done() : claim(missing);
    }

    /** Looks for how long it may last at most. */
    private CompletionStage<Void> failPending(
            WantedValue pending, Function<SeenClaim, CompletionStage<Void>> stillAnothers) {
        return Stages.then(
                call.ask(() -> call.parts.claims().read(pending.key())),
                seen -> seen.filter(claim -> !claim.isOf(call.owner))
                        .map(stillAnothers)
                        .orElseGet(() -> fail(stillPending(
                                pending, seen.map(SeenClaim::leaseLeft).orElse(Duration.ZERO)))),
                failure -> fail(stillPending(pending, Duration.ZERO)));
    }

    /** The last look before giving up: a value whose row is there by now is a duplicate. */
    private CompletionStage<Void> lookAtRow(WantedValue pending, SeenClaim seen) {
        return Stages.then(
                call.ask(() -> call.rows.read(seen.claim().owner())),
                row -> fail(
                        pending.isCarriedBy(row)
                                ? duplicate(List.of(violation(pending)))
                                : stillPending(pending, seen.leaseLeft())),
                failure -> fail(stillPending(pending, seen.leaseLeft())));
    }

    private static RuntimeException stillPending(WantedValue pending, Duration left) {
        return new ClaimPendingException(pending.constraint().name(), left);
    }

    private RuntimeException duplicate(List<Violation> violations) {
        return new DuplicateValueException(violations, call.parts.settings().valuesInMessages());
    }

    /** Listeners hear of it. */
    private Violation violation(WantedValue taken) {
        UniqueConstraint constraint = taken.constraint();
        call.parts.listener().duplicate(constraint.name());
        return new Violation(
                constraint.name(), constraint.properties(), taken.value().parts());
    }

    // ---- values that rows without a claim have ----

    /**
     * Ends the call if it gives the row a value that another row shows, which a build has reported. No such row can get it
     * later: the value is claimed.
     *
     * @param before the values that the row has had
     */
    CompletionStage<Void> heedReported(List<ClaimKey> before) {
        if (call.parts.reported() == ReportedDuplicates.NONE) {
            return Stages.done();
        }
        List<WantedValue> gained =
                values.stream().filter(value -> !before.contains(value.key())).toList();
        return Stages.then(
                Stages.all(gained, this::isShownElsewhere),
                shown -> {
                    List<Violation> violations = IntStream.range(0, gained.size())
                            .filter(shown::get)
                            .mapToObj(i -> violation(gained.get(i)))
                            .toList();
                    return violations.isEmpty() ? Stages.done() : fail(duplicate(violations));
                },
                failure -> fail(call.noAnswer(failure)));
    }

    private CompletionStage<Boolean> isShownElsewhere(WantedValue value) {
        return call.readReported(value.key())
                .thenCompose(owners -> Stages.all(
                        owners.stream()
                                .filter(owner -> !owner.equals(call.owner) && call.rows.isKey(owner))
                                .toList(),
                        call::read))
                .thenApply(rows -> rows.stream().anyMatch(value::isCarriedBy));
    }

    // ---- a later round: the row was sent too late ----

    /**
     * Claims everything again, each in the place of the claim that is held, at the timestamp that the call has pinned
     * since.
     */
    CompletionStage<Void> claimAgain() {
        List<Held> ours = all.stream().filter(held -> held.claim != null).toList();
        claimRow();
        return Stages.all(
                        ours,
                        held -> call.askClaims(claims -> claims.replace(
                                        held.wanted.key(), Objects.requireNonNull(held.claim), call.pinnedClaim()))
                                .thenApply(this::again))
                .thenCompose(results -> decide(ours, results, true))
                .thenCompose(again -> claimMissing());
    }

    /** A claim that is not the owner's any more was lost to another process. */
    private ClaimStep.Result again(ClaimAnswer answer) {
        if (answer instanceof ClaimAnswer.Unclear failed) {
            return new ClaimStep.Result.Unclear(failed.cause());
        }
        if (!(answer instanceof Refused refused)) {
            return new ClaimStep.Result.Held(false);
        }
        return refused.seen() == null || !refused.seen().isOf(call.owner)
                ? new ClaimStep.Result.Pending()
                : new ClaimStep.Result.Rise(refused.seen().claim().writeTs());
    }

    // ---- the end of a call that does not succeed ----

    /**
     * Ends the call. If the row was sent, and is there, others may have built on it, or kept a part of it; if it is not
     * there, it is dead: no other row gets a claim of ours before what was sent under it is dead.
     */
    CompletionStage<Void> fail(RuntimeException failure) {
        if (!call.rowSent()) {
            return abandon().thenCompose(abandoned -> Stages.failed(failure));
        }
        if (failure instanceof UnknownOutcomeException) {
            return Stages.failed(failure);
        }
        return Stages.then(
                call.read(call.owner),
                row -> Stages.failed(
                        row.exists()
                                ? new SupersededException(
                                        "%s: another operation took over while the row was being written; the row may be written, in part or in whole. Calling it again with the same arguments settles it"
                                                .formatted(call.operation))
                                : failure),
                unread -> Stages.failed(call.unknown(unread)));
    }

    /** Frees what this call has claimed; not knowing whether it worked does no harm. */
    private CompletionStage<?> abandon() {
        return abandon(all.stream()
                .filter(held -> held.claim != null && call.rules().mayAbandon(held.created, call.rowSent()))
                .toList());
    }

    private CompletionStage<?> abandon(List<Held> ours) {
        return Stages.all(
                ours,
                held -> call.askClaims(claims -> claims.abandon(
                        held.wanted.key(), Objects.requireNonNull(held.claim).claimId())));
    }
}
