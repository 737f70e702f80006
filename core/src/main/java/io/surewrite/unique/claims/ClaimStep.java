package io.surewrite.unique.claims;

import io.surewrite.cql.session.DriverFailures;
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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Claims one value for the call's row: one conditional write if the value is free. A claim whose writer was given time,
 * and whose row does not carry the value, is taken over: marked, fenced off, and replaced.
 */
final class ClaimStep {

    private static final int MAX_TRIES = 8;
    private static final int MAX_LOOKS = 5;

    private final GuardCall call;
    private final WantedValue wanted;

    /** The claim to make; null where a claim is only to be removed. */
    private final @Nullable Claim mine;

    private int tries;

    /** What became of the attempt. */
    sealed interface Result {

        /**
         * The value is ours; after {@link ClaimStep#remove}, it is free.
         *
         * @param created whether this call made the claim or took it over; otherwise it was the owner's before
         */
        record Held(boolean created) implements Result {}

        /**
         * It is the owner's, with a timestamp that ours must exceed.
         *
         * @param seen the timestamp
         */
        record Rise(long seen) implements Result {}

        /**
         * What was sent under another row's claim is dead: the value can never appear there.
         *
         * @param fence why
         */
        record Fenced(Fence fence) implements Result {}

        /** Another row carries the value. */
        record Duplicate() implements Result {}

        /** Another write of the value is under way. */
        record Pending() implements Result {}

        /**
         * The claim may be ours or not.
         *
         * @param cause the last failure
         */
        record Unclear(Throwable cause) implements Result {}
    }

    private ClaimStep(GuardCall call, WantedValue wanted, @Nullable Claim mine) {
        this.call = call;
        this.wanted = wanted;
        this.mine = mine;
    }

    /**
     * Claims a value at the call's pinned timestamp.
     *
     * @param seen the claim as it was read, which saves an attempt to create it if it is the row's; null if it was not read
     */
    static CompletionStage<Result> claim(GuardCall call, WantedValue wanted, @Nullable SeenClaim seen) {
        ClaimStep step = new ClaimStep(call, wanted, call.pinnedClaim());
        return seen != null && step.isOurs(seen) ? step.refresh(seen) : step.create();
    }

    /** Removes a claim whose row does not have the value, and whose writer is gone: a takeover without a new owner. */
    static CompletionStage<Result> remove(GuardCall call, WantedValue wanted, Claim former) {
        return new ClaimStep(call, wanted, null).takeOver(former);
    }

    private Claim mine() {
        return Objects.requireNonNull(mine);
    }

    // ---- 1. claim a free value ----

    /** Begins, and begins again whenever another process was faster in between. */
    private CompletionStage<Result> create() {
        if (++tries > MAX_TRIES) {
            return Stages.done(new Result.Pending());
        }
        return call.askClaims(claims -> claims.create(wanted.key(), mine())).thenCompose(answer -> {
            if (answer instanceof Refused refused) {
                SeenClaim seen = refused.seen();
                return seen == null ? create() : isOurs(seen) ? refresh(seen) : taken(seen);
            }
            return made(answer, true);
        });
    }

    /** The end of a statement that makes our claim. */
    private CompletionStage<Result> made(ClaimAnswer answer, boolean created) {
        if (answer instanceof Unclear unclear) {
            return Stages.done(new Result.Unclear(unclear.cause()));
        }
        if (answer instanceof Refused) {
            return overtaken();
        }
        if (mine != null) {
            call.parts.listener().claimed(wanted.constraint().name());
        }
        return Stages.done(new Result.Held(created));
    }

    /** Another process was faster. A claim that was to be removed is now its business. */
    private CompletionStage<Result> overtaken() {
        return mine == null ? Stages.done(new Result.Pending()) : create();
    }

    // ---- 2. the value is the row's already ----

    /** Two inserts of one primary key have the same owner, but not the same origin. */
    private boolean isOurs(SeenClaim seen) {
        return seen.isOf(call.owner)
                && (!wanted.decidesOwner()
                        || !call.rules().comparesOrigins()
                        || call.origin.equals(seen.claim().originId()));
    }

    private CompletionStage<Result> refresh(SeenClaim seen) {
        if (mustRiseAbove(seen)) {
            return Stages.done(new Result.Rise(seen.claim().writeTs()));
        }
        // The origin stays that of the call which first made the claim.
        Claim refreshed = wanted.decidesOwner()
                ? mine()
                : new Claim(call.owner, mine().claimId(), seen.claim().originId(), mine().writeTs());
        return call.askClaims(claims -> claims.replace(wanted.key(), seen.claim(), refreshed))
                .thenCompose(answer -> made(answer, false));
    }

    private boolean mustRiseAbove(SeenClaim seen) {
        return call.rules().mustRiseAbove(seen.claim().writeTs(), mine().writeTs());
    }

    // ---- 3. the value is another row's, or was ----

    /** If the other row carries the value, it is a duplicate, whether its writer is still at work or not. */
    private CompletionStage<Result> taken(SeenClaim seen) {
        if (seen.isOf(call.owner) && !seen.leased() && mustRiseAbove(seen)) {
            return Stages.done(new Result.Rise(seen.claim().writeTs()));
        }
        return call.read(seen.claim().owner())
                .thenCompose(row -> wanted.isCarriedBy(row)
                        ? Stages.<Result>done(new Result.Duplicate())
                        : seen.leased() ? Stages.done(new Result.Pending()) : takeOver(seen.claim()))
                .exceptionally(failure -> new Result.Unclear(DriverFailures.unwrapped(failure)));
    }

    /** Clocks decide whether a lease is over, so none of them may be known to be wrong. */
    private CompletionStage<Result> takeOver(Claim former) {
        if (call.parts.time().clocks().problem() != null) {
            return Stages.done(new Result.Pending());
        }
        if (!call.rules().marksBeforeFence()) {
            return fence(former, former);
        }
        Claim marked = new Claim(former.owner(), call.parts.ids().get(), null, former.writeTs());
        return call.askClaims(claims -> claims.mark(wanted.key(), former, marked.claimId()))
                .thenCompose(answer -> answer instanceof ClaimAnswer.Done ? fence(former, marked) : made(answer, true));
    }

    /** Makes sure that the value never appears on the former owner's row, and then replaces or removes the claim. */
    private CompletionStage<Result> fence(Claim former, Claim marked) {
        return new FenceStep(former).run().thenCompose(fenced -> {
            if (fenced instanceof Result.Unclear) {
                return Stages.done(fenced);
            }
            if (!(fenced instanceof Result.Fenced up)) {
                return call.askClaims(claims -> claims.settle(wanted.key(), marked.claimId()))
                        .thenApply(settled -> fenced);
            }
            return call.askClaims(claims -> mine == null
                            ? claims.abandon(wanted.key(), marked.claimId())
                            : claims.replace(wanted.key(), marked, mine))
                    .thenCompose(answer -> {
                        if (answer instanceof ClaimAnswer.Done) {
                            call.parts.listener().takenOver(wanted.constraint().name(), up.fence());
                        }
                        return made(answer, true);
                    });
        });
    }

    // ---- 4. fence off what the former owner may have sent ----

    /**
     * Makes sure that a value never appears on a row by what was sent under an old claim, all of which has at most the
     * claim's timestamp. A row that is not there is deleted at that timestamp: on a tie the deletion wins, and whatever is
     * newer lives. A row with another value is written again above that timestamp.
     */
    private final class FenceStep {

        private final Claim former;
        private int tries;
        private boolean noted;

        FenceStep(Claim former) {
            this.former = former;
        }

        // ---- 4.1. read the row ----

        /** Reads the row, and begins again when it changes meanwhile. {@code Pending}: another process is at work on it. */
        CompletionStage<Result> run() {
            if (++tries > MAX_LOOKS) {
                return Stages.done(new Result.Pending());
            }
            return call.read(former.owner())
                    .thenCompose(this::seen)
                    .exceptionally(failure -> new Result.Unclear(DriverFailures.unwrapped(failure)));
        }

        private CompletionStage<Result> seen(RowSnapshot row) {
            if (wanted.isCarriedBy(row)) {
                return Stages.done(new Result.Duplicate());
            }
            if (!call.rules().fences() || isDead(row)) {
                return Stages.done(new Result.Fenced(Fence.DEAD_ALREADY));
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

        // ---- 4.2a. the row is not there: delete it at the claim's timestamp ----

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
            Claim note = new Claim(former.owner(), call.parts.ids().get(), null, above + 1);
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
                return seen == null || seen.leased() || ++tries > MAX_LOOKS
                        ? Stages.done(new Result.Pending())
                        : note(Math.max(above, seen.claim().writeTs()));
            }
            noted = true;
            return run();
        }

        private CompletionStage<Result> delete() {
            long fence = call.rules().fenceOf(former.writeTs());
            return call.askRows(rows -> rows.delete(former.owner(), fence))
                    .thenApply(deleted -> new Result.Fenced(Fence.DELETED));
        }

        // ---- 4.2b. the row has another value: write it again, above the claim's timestamp ----

        /** First the row's own values are claimed again for it, with timestamps that cover this write. */
        private final class Restoration {

            private final RowSnapshot row;
            private final Optional<ClaimKey> rowKey;
            private final List<ClaimKey> keys;
            private final Map<ClaimKey, Claim> ours = new HashMap<>();
            private final Set<ClaimKey> created = ConcurrentHashMap.newKeySet();
            private long above;

            Restoration(RowSnapshot row) {
                this.row = row;
                this.rowKey = call.rowClaim(row.owner()).map(WantedValue::key);
                this.keys = new ArrayList<>(WantedValue.keysOf(call.rows, row));
                rowKey.ifPresent(keys::add);
                this.above = call.rows.constraints().stream()
                        .mapToLong(row::writtenAt)
                        .reduce(former.writeTs(), Math::max);
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
                Claim claim = new Claim(row.owner(), call.parts.ids().get(), null, above + 1);
                Claim before = ours.get(key);
                if (before != null && before.writeTs() == claim.writeTs()) {
                    return Stages.done(new Protection(key, before, new ClaimAnswer.Done()));
                }
                return call.askClaims(claims ->
                                before == null ? claims.protect(key, claim) : claims.replace(key, before, claim))
                        .thenCompose(answer ->
                                before == null && isUnclaimed(answer) ? create(key, claim) : Stages.done(answer))
                        .thenApply(answer -> new Protection(key, claim, answer));
            }

            private static boolean isUnclaimed(ClaimAnswer answer) {
                return answer instanceof Refused refused && refused.seen() == null;
            }

            /**
             * A row that was never written over has no claim of its own yet, and one that was there before the constraint none of
             * its value. A value that is on its way out has none any more, which shows when the row is read again.
             */
            private CompletionStage<ClaimAnswer> create(ClaimKey key, Claim claim) {
                return call.askClaims(claims -> claims.create(key, claim)).thenApply(answer -> {
                    if (answer instanceof ClaimAnswer.Done
                            && rowKey.filter(key::equals).isEmpty()) {
                        created.add(key);
                    }
                    return answer;
                });
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
                    return backOut().thenApply(out -> new Result.Pending());
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

            /** Takes back the leases, or the next try would find them in its way, and the values that had no claim. */
            private CompletionStage<?> backOut() {
                return Stages.all(
                        List.copyOf(ours.entrySet()),
                        entry -> call.askClaims(claims -> {
                            UUID id = entry.getValue().claimId();
                            return created.contains(entry.getKey())
                                    ? claims.abandon(entry.getKey(), id)
                                    : claims.settle(entry.getKey(), id);
                        }));
            }

            /** Whether the constrained columns were not written since their values were claimed. */
            private boolean isAsBefore(RowSnapshot now) {
                for (UniqueConstraint constraint : call.rows.constraints()) {
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
                        .thenApply(restored -> new Result.Fenced(Fence.RESTORED));
            }
        }
    }
}
