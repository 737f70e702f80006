package io.surewrite.unique;

import io.surewrite.internal.session.DriverFailures;
import io.surewrite.unique.ClaimStore.Claim;
import io.surewrite.unique.ClaimStore.ClaimAnswer;
import io.surewrite.unique.ClaimStore.ClaimAnswer.Refused;
import io.surewrite.unique.ClaimStore.ClaimAnswer.Unclear;
import io.surewrite.unique.ClaimStore.ClaimKey;
import io.surewrite.unique.ClaimStore.SeenClaim;
import io.surewrite.unique.UniqueRules.Rule;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * Claims one value for the call's row: one conditional write if the value is free or the row's already. A claim whose
 * reservation has ended, and whose row does not carry the value, is taken over.
 */
final class ClaimStep {

    private static final int MAX_TRIES = 8;

    final GuardCall call;
    final WantedValue wanted;
    final boolean removes;

    private int tries;

    sealed interface Result {

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

        record Duplicate() implements Result {}

        record Pending() implements Result {}

        /** The claim may be ours or not, and this call may have created it, now or later. */
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

    /** Claims a value at the call's timestamp; a new row has no claims yet. */
    static CompletionStage<Result> claim(GuardCall call, WantedValue wanted, boolean isNew) {
        ClaimStep step = new ClaimStep(call, wanted, false);
        return isNew ? step.create() : step.raise();
    }

    /** Removes a claim whose row does not have the value, and whose writer is gone: a takeover without a new owner. */
    static CompletionStage<Result> remove(GuardCall call, WantedValue wanted, SeenClaim former) {
        return new ClaimStep(call, wanted, true).takeOver(former);
    }

    static CompletionStage<Result> pending() {
        return Stages.done(new Result.Pending());
    }

    boolean triesAgain() {
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
    CompletionStage<Result> again() {
        return wanted.decidesOwner() ? create() : raise();
    }

    static CompletionStage<Result> made(ClaimAnswer answer, Result.Held how) {
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
                    return seen.isOf(call.owner) && isOurs(seen) ? join(seen) : taken(seen);
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
        FencingTakeover takeover = new FencingTakeover(this, former.claim());
        return takeover.isDead(row)
                ? takeover.take()
                : takeover.fence(former.claim().writeTs());
    }

    /** Where two writers of a row must not have one timestamp. The id is the same in all attempts of an operation, as no call withdraws the claim. */
    static CompletionStage<Result> claimRow(GuardCall call, UUID id) {
        ClaimKey row = call.row();
        return call.askClaims(claims -> claims.raise(row, new Claim(call.owner, id, null, call.timestamp())))
                .thenCompose(answer -> answer instanceof Refused refused && refused.seen() == null
                        ? call.askClaims(
                                claims -> claims.create(row, new Claim(call.owner, id, call.origin, call.timestamp())))
                        : Stages.done(answer))
                .thenCompose(answer -> {
                    if (!(answer instanceof Refused refused)) {
                        return made(answer, Result.Held.RAISED);
                    }
                    SeenClaim seen = refused.seen();
                    return seen == null || seen.claim().writeTs() < call.timestamp()
                            ? claimRow(call, id) // created meanwhile by a lower writer, or gone again
                            : Stages.done(new Result.Rise(seen.claim().writeTs()));
                });
    }
}
