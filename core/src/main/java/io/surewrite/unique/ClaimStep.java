package io.surewrite.unique;

import io.surewrite.internal.session.DriverFailures;
import io.surewrite.unique.ClaimStore.Claim;
import io.surewrite.unique.ClaimStore.ClaimAnswer;
import io.surewrite.unique.ClaimStore.ClaimAnswer.Refused;
import io.surewrite.unique.ClaimStore.ClaimAnswer.Unclear;
import io.surewrite.unique.ClaimStore.ClaimKey;
import io.surewrite.unique.ClaimStore.SeenClaim;
import io.surewrite.unique.UniqueRules.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Claims one value for the call's row: one conditional write if the value is free or the row's already. A claim whose
 * reservation has ended, and whose row does not carry the value, is taken over.
 */
final class ClaimStep {

    private static final int MAX_TRIES = 8;

    private final GuardCall call;
    private final WantedValue wanted;

    /** Whether a claim is only to be removed. */
    private final boolean removes;

    private int tries;

    /** What became of the attempt. */
    sealed interface Result {

        /** The value is the row's. */
        enum Held implements Result {
            /** By this call, which may withdraw it; after {@link ClaimStep#remove}, the value is free. */
            CREATED,
            /** It was before, and no other operation of the row has claimed it at a later timestamp. */
            RAISED,
            /** Another operation of the row, or an earlier attempt, has claimed it at this timestamp or a later one. */
            JOINED
        }

        /** Another writer of the row has claimed it at this timestamp or a later one. */
        record Rise(long seen) implements Result {}

        /** Another row carries the value. */
        record Duplicate() implements Result {}

        /** Another write of the value is under way. */
        record Pending() implements Result {}

        /**
         * The claim may be ours or not.
         *
         * @param cause the last failure
         * @param mayBeCreated whether this call may have created it, now or later
         */
        record Unclear(Throwable cause, boolean mayBeCreated) implements Result {

            Unclear(Throwable cause) {
                this(cause, false);
            }
        }
    }

    private ClaimStep(GuardCall call, WantedValue wanted, boolean removes) {
        this.call = call;
        this.wanted = wanted;
        this.removes = removes;
    }

    /**
     * Claims a value at the call's timestamp.
     *
     * @param isNew whether the row is new, so that it has no claims yet
     */
    static CompletionStage<Result> claim(GuardCall call, WantedValue wanted, boolean isNew) {
        ClaimStep step = new ClaimStep(call, wanted, false);
        return isNew ? step.create() : step.raise();
    }

    /** Removes a claim whose row does not have the value, and whose writer is gone: a takeover without a new owner. */
    static CompletionStage<Result> remove(GuardCall call, WantedValue wanted, SeenClaim former) {
        return new ClaimStep(call, wanted, true).takeOver(former);
    }

    private static CompletionStage<Result> pending() {
        return Stages.done(new Result.Pending());
    }

    private boolean triesAgain() {
        return ++tries <= MAX_TRIES;
    }

    // ---- 1. the claim is the row's

    private CompletionStage<Result> raise() {
        if (!triesAgain()) {
            return pending();
        }
        Claim claim =
                new Claim(call.owner, call.raiseId(), wanted.decidesOwner() ? call.origin : null, call.timestamp());
        return call.askClaims(claims -> claims.raise(wanted.key(), claim)).thenCompose(answer -> {
            if (!(answer instanceof Refused refused)) {
                return made(answer, Result.Held.RAISED);
            }
            SeenClaim seen = refused.seen();
            if (seen == null || wanted.decidesOwner()) {
                call.gains();
                return create(); // none, or perhaps another insert's by now
            }
            return seen.isOf(call.owner) ? join(seen) : lookAt(seen);
        });
    }

    /** Timestamp and reservation stay: this operation's row lies under the other's as a whole, or stands if that never comes. */
    private CompletionStage<Result> join(SeenClaim seen) {
        if (seen.claim().writeTs() < call.timestamp()) {
            return raise();
        }
        if (!call.keeps(Rule.JOINS_THE_CLAIMS_OF_ITS_ROW)) {
            return Stages.done(Result.Held.JOINED);
        }
        return call.askClaims(claims -> claims.join(wanted.key(), seen.claim().claimId(), call.raiseId()))
                .thenCompose(answer -> answer instanceof Refused ? again() : made(answer, Result.Held.JOINED));
    }

    /** Begins again when another process was faster. An insert of a primary key must not raise another insert's claim. */
    private CompletionStage<Result> again() {
        return wanted.decidesOwner() ? create() : raise();
    }

    private CompletionStage<Result> made(ClaimAnswer answer, Result.Held how) {
        if (answer instanceof Unclear unclear) {
            return Stages.done(new Result.Unclear(unclear.cause(), how == Result.Held.CREATED));
        }
        return Stages.done(how);
    }

    // ---- 2. there is no claim

    private CompletionStage<Result> create() {
        if (!triesAgain()) {
            return pending();
        }
        return call.askClaims(claims -> claims.create(wanted.key(), call.created()))
                .thenCompose(answer -> {
                    if (!(answer instanceof Refused refused)) {
                        return made(answer, Result.Held.CREATED);
                    }
                    SeenClaim seen = refused.seen();
                    if (seen == null) {
                        return create();
                    }
                    if (!seen.isOf(call.owner) || !isOurs(seen)) {
                        return taken(seen);
                    }
                    return join(seen);
                });
    }

    /** Two inserts of one primary key have the same owner, but not the same origin. */
    private boolean isOurs(SeenClaim seen) {
        return !wanted.decidesOwner()
                || !call.keeps(Rule.INSERTS_COMPARE_ORIGINS)
                || call.origin.equals(seen.claim().originId());
    }

    // ---- 3. the claim is another's

    /** A claim that refused to be raised does not show its reservation. */
    private CompletionStage<Result> lookAt(SeenClaim refusing) {
        return call.readClaim(wanted.key())
                .thenCompose(
                        seen -> seen.filter(claim -> claim.isOf(refusing.claim().owner()))
                                .map(this::taken)
                                .orElseGet(this::raise))
                .exceptionally(failure -> new Result.Unclear(DriverFailures.unwrapped(failure)));
    }

    /** If the other row carries the value, it is a duplicate, whether its writer is still at work or not. */
    private CompletionStage<Result> taken(SeenClaim seen) {
        return call.read(seen.claim().owner())
                .thenCompose(row -> {
                    if (wanted.isCarriedBy(row)) {
                        return Stages.<Result>done(new Result.Duplicate());
                    }
                    boolean reserved = seen.reserved() && call.keeps(Rule.TAKEOVERS_WAIT_FOR_THE_RESERVATION);
                    // What kills an earlier insert of the same key must not kill this one.
                    boolean killsThis = seen.isOf(call.owner) && seen.claim().writeTs() >= call.timestamp();
                    return reserved || killsThis ? pending() : takeOver(seen, row);
                })
                .exceptionally(failure -> new Result.Unclear(DriverFailures.unwrapped(failure)));
    }

    private CompletionStage<Result> takeOver(SeenClaim former) {
        return call.read(former.claim().owner())
                .thenCompose(row ->
                        wanted.isCarriedBy(row) ? Stages.<Result>done(new Result.Duplicate()) : takeOver(former, row))
                .exceptionally(failure -> new Result.Unclear(DriverFailures.unwrapped(failure)));
    }

    /** Clocks decide whether a reservation is over, so none of them may be known to be wrong. */
    private CompletionStage<Result> takeOver(SeenClaim former, RowSnapshot row) {
        if (call.parts.time().clocks().problem() != null) {
            return pending();
        }
        Takeover takeover = new Takeover(former.claim());
        return takeover.isDead(row)
                ? takeover.take(Fence.DEAD_ALREADY)
                : takeover.fence(former.claim().writeTs());
    }

    // ---- 4. take it over: make sure that the former owner never shows the value

    /**
     * Kills what may still come of the value onto the former owner's row, all of which was sent at the claim's timestamp or
     * below. The row's fence comes first, so that an operation which is killed, and is acknowledged after the row was read,
     * learns of it. Every statement is harmless when it comes late: any new operation of the row that wants the value changes
     * the claim's id, on which the last step depends.
     */
    private final class Takeover {

        private final Claim former;
        private final ClaimKey row;

        /** Values that the row showed though another row has them. */
        private final Set<WantedValue> twins = ConcurrentHashMap.newKeySet();

        Takeover(Claim former) {
            this.former = former;
            this.row = WantedValue.ofRow(call.rows, former.owner());
        }

        /**
         * Whether a part that differs is newer than the claim: then no late write can complete the value. A part that is newer
         * but equal proves nothing, as the late write may bring the others; and an entity may lack other columns.
         */
        boolean isDead(RowSnapshot shown) {
            UniqueConstraint constraint = wanted.constraint();
            List<@Nullable String> parts =
                    shown.value(constraint).map(UniqueValue::parts).orElse(List.of());
            return IntStream.range(0, parts.size())
                    .anyMatch(part -> parts.get(part) != null
                            && !parts.get(part).equals(wanted.value().parts().get(part))
                            && (shown.writtenAt(constraint, part) > former.writeTs()
                                    || !call.keeps(Rule.ONLY_NEWER_PARTS_PROVE_DEATH)));
        }

        // ---- 4.1. fence the row above all that the takeover kills

        CompletionStage<Result> fence(long above) {
            // Who drew a lower timestamp by another clock may still be told done. So the reservation must be
            // over by this clock as well as by those of nodes. What a clock far ahead has drawn is left alone
            // until then.
            boolean early = call.parts.time().nextTimestamp() - above
                            < TimeUnit.SECONDS.toMicros(
                                    call.parts.settings().lease().toSeconds() - 1)
                    && call.keeps(Rule.TAKEOVERS_WAIT_FOR_THE_CLOCK);
            if (early || !triesAgain()) {
                return pending();
            }
            if (!call.keeps(Rule.TAKEOVERS_FENCE_THE_ROW)) {
                return lookAgain(above + 1);
            }
            if (!call.keeps(Rule.READS_AFTER_THE_FENCE)) {
                return call.askRows(rows -> rows.readToRestore(former.owner()))
                        .thenCompose(shown -> fence(above, at -> kill(shown, at)));
            }
            return fence(above, this::lookAgain);
        }

        /** Where the row has a claim of its own, the new fence lies above that, and takes its place. */
        private CompletionStage<Result> fence(long above, LongFunction<CompletionStage<Result>> fenced) {
            return call.askClaims(claims -> claims.fence(row, fenceAt(above + 1)))
                    .thenCompose(answer -> {
                        SeenClaim seen = answer instanceof Refused refused ? refused.seen() : null;
                        if (seen == null) {
                            return fenced(answer, above, fenced);
                        }
                        if (seen.reserved()) {
                            return pending(); // another writer of the row is at work
                        }
                        long highest = call.keeps(Rule.ONE_TIMESTAMP_FOR_EACH_TAKEOVER)
                                ? Math.max(above, seen.claim().writeTs())
                                : above;
                        return call.askClaims(claims ->
                                        claims.raiseFence(row, seen.claim().claimId(), fenceAt(highest + 1)))
                                .thenCompose(raised -> fenced(raised, highest, fenced));
                    });
        }

        private Claim fenceAt(long timestamp) {
            return new Claim(former.owner(), call.parts.ids().get(), null, timestamp);
        }

        private CompletionStage<Result> fenced(
                ClaimAnswer answer, long above, LongFunction<CompletionStage<Result>> then) {
            if (answer instanceof Unclear unclear) {
                return Stages.done(new Result.Unclear(unclear.cause()));
            }
            return answer instanceof Refused ? fence(above) : then.apply(above + 1);
        }

        // ---- 4.2. read the row again

        private CompletionStage<Result> lookAgain(long at) {
            return call.askRows(rows -> rows.readToRestore(former.owner())).thenCompose(shown -> kill(shown, at));
        }

        private CompletionStage<Result> kill(RowSnapshot shown, long at) {
            if (wanted.isCarriedBy(shown)) {
                return Stages.done(new Result.Duplicate());
            }
            if (isDead(shown)) {
                return take(Fence.DEAD_ALREADY);
            }
            if (!call.keeps(Rule.TAKEOVERS_KILL_LATE_WRITES)) {
                return take(Fence.DELETED);
            }
            return shown.exists() ? protect(shown, at) : delete();
        }

        // ---- 4.3a. the row is not there: delete it; on a tie the deletion wins, and whatever is newer lives

        private CompletionStage<Result> delete() {
            long at = former.writeTs() - (call.keeps(Rule.DELETES_AT_THE_CLAIMS_TIMESTAMP) ? 0 : 1);
            return call.askRows(rows -> rows.delete(former.owner(), at)).thenCompose(deleted -> take(Fence.DELETED));
        }

        // ---- 4.3b. the row has another value: claim what it has up to the fence, and write it again there

        private CompletionStage<Result> protect(RowSnapshot shown, long at) {
            List<WantedValue> values = new ArrayList<>();
            if (call.keeps(Rule.RESTORED_VALUES_ARE_PROTECTED)) {
                for (UniqueConstraint constraint : call.rows.constraints()) {
                    shown.value(constraint).ifPresent(value -> values.add(WantedValue.of(constraint, value)));
                }
            }
            return Stages.all(values, value -> protect(value, at)).thenCompose(answers -> {
                long highest = at - 1;
                boolean refusedOne = false;
                for (ClaimAnswer answer : answers) {
                    if (answer instanceof Unclear unclear) {
                        return Stages.done(new Result.Unclear(unclear.cause()));
                    }
                    if (answer instanceof Refused refused) {
                        refusedOne = true;
                        SeenClaim seen = refused.seen();
                        if (seen != null && seen.isOf(former.owner())) {
                            if (seen.reserved()) {
                                return pending(); // another writer of the row is at work
                            }
                            highest = Math.max(highest, seen.claim().writeTs());
                        }
                    }
                }
                return refusedOne
                        ? fence(Math.max(highest, at))
                        : call.askRows(rows -> rows.restore(shown, at)).thenCompose(restored -> take(Fence.RESTORED));
            });
        }

        /**
         * A value that the row had before the constraint may have no claim yet; or another row has it too, and the claim: then
         * there is nothing to protect. That it does not only come late shows when the row is read once more.
         */
        private CompletionStage<ClaimAnswer> protect(WantedValue value, long at) {
            Claim claim = fenceAt(at);
            return call.askClaims(claims -> claims.protect(value.key(), claim)).thenCompose(answer -> {
                if (!(answer instanceof Refused refused)) {
                    return Stages.done(answer);
                }
                SeenClaim seen = refused.seen();
                if (seen == null) {
                    return call.askClaims(claims -> claims.adopt(value.key(), claim));
                }
                return seen.isOf(former.owner())
                        ? Stages.done(answer)
                        : call.read(seen.claim().owner())
                                .thenApply(other -> value.isCarriedBy(other) && !twins.add(value)
                                        ? new ClaimAnswer.Done()
                                        : answer);
            });
        }

        // ---- 4.4. replace or remove the claim, if it is still the one that was seen

        CompletionStage<Result> take(Fence how) {
            UUID seen = former.claimId();
            return call.askClaims(claims -> removes
                            ? claims.withdraw(wanted.key(), seen)
                            : claims.take(wanted.key(), seen, call.created()))
                    .thenCompose(answer -> {
                        if (answer instanceof Refused) {
                            return removes ? pending() : again();
                        }
                        if (answer instanceof ClaimAnswer.Done) {
                            call.takenOver(how);
                        }
                        return made(answer, Result.Held.CREATED);
                    });
        }
    }

    // ---- the claim of the row itself, where two writers of it must not have one timestamp

    /**
     * @param id of this operation, the same in all its attempts, as no call withdraws the claim
     */
    static CompletionStage<Result> claimRow(GuardCall call, UUID id) {
        ClaimKey row = call.row();
        return call.askClaims(claims -> claims.raise(row, new Claim(call.owner, id, null, call.timestamp())))
                .thenCompose(answer -> answer instanceof Refused refused && refused.seen() == null
                        ? call.askClaims(
                                claims -> claims.create(row, new Claim(call.owner, id, call.origin, call.timestamp())))
                        : Stages.done(answer))
                .thenCompose(answer -> {
                    if (answer instanceof Unclear unclear) {
                        return Stages.done(new Result.Unclear(unclear.cause()));
                    }
                    if (!(answer instanceof Refused refused)) {
                        return Stages.done(Result.Held.RAISED);
                    }
                    SeenClaim seen = refused.seen();
                    return seen == null || seen.claim().writeTs() < call.timestamp()
                            ? claimRow(call, id) // created meanwhile by a lower writer, or gone again
                            : Stages.done(new Result.Rise(seen.claim().writeTs()));
                });
    }

    /** How a takeover made sure that the former owner never shows the value. */
    enum Fence {
        /** The former owner's row was not there and was deleted at the claim's timestamp. */
        DELETED,
        /** The former owner's row has another value, which was written again above the claim's timestamp. */
        RESTORED,
        /** The former owner's row has another value with a newer timestamp; nothing had to be written. */
        DEAD_ALREADY
    }
}
