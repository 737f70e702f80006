package io.surewrite.unique.claims;

import io.surewrite.cql.FailureKind;
import io.surewrite.cql.UnknownOutcomeException;
import io.surewrite.cql.WriteFailures;
import io.surewrite.cql.WriteScope;
import io.surewrite.cql.session.DriverFailures;
import io.surewrite.unique.ClaimsUnavailableException;
import io.surewrite.unique.UniqueListener;
import io.surewrite.unique.UniqueValue;
import io.surewrite.unique.claims.ClaimStore.Claim;
import io.surewrite.unique.claims.ClaimStore.ClaimAnswer;
import io.surewrite.unique.claims.ClaimStore.ClaimAnswer.Refused;
import io.surewrite.unique.claims.ClaimStore.ClaimKey;
import io.surewrite.unique.claims.ClaimStore.SeenClaim;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One call of the guard: what all its steps share. Steps that run at the same time only read it. */
final class GuardCall {

    /** In microseconds. */
    private static final int APART_MASK = 1023;

    /** In characters, of which each takes three bytes at most. */
    private static final int LONGEST_KEY = UniqueValue.MAX_BYTES / 3 - 10;

    final GuardParts parts;
    final ConstrainedRows rows;
    final String operation;
    final String owner;
    final UUID origin;
    private final @Nullable WriteScope scope = WriteScope.current();
    private final UniqueListener.Call heard;
    private final long startedAt;
    private @Nullable Pin pin;
    private boolean rowSent;
    private int rounds;

    /**
     * @param operation its name, for messages
     * @param owner the canonical primary key of the row
     * @param heard hears of the steps
     */
    GuardCall(GuardParts parts, ConstrainedRows rows, String operation, String owner, UniqueListener.Call heard) {
        this.parts = parts;
        this.rows = rows;
        this.operation = operation;
        this.owner = owner;
        this.heard = heard;
        this.startedAt = parts.time().nanos();
        this.origin = scope == null ? parts.ids().get() : parts.pins().originOf(scope.timestamp());
    }

    /** A call that no listener hears of. */
    static GuardCall unheard(GuardParts parts, ConstrainedRows rows, String operation, String owner) {
        return new GuardCall(parts, rows, operation, owner, UniqueListener.Call.NONE);
    }

    UniqueRules rules() {
        return parts.rules();
    }

    /** {@return the claim of the row itself, if every writer that writes over it has to make it} */
    Optional<WantedValue> writtenRow() {
        return rows.mayMix() && rules().claimsRows() ? rowClaim(owner) : Optional.empty();
    }

    /** {@return the claim of a row itself} */
    Optional<WantedValue> rowClaim(String which) {
        // Rows whose keys are too long to be claimed are fenced as they are.
        return rows.rowClaim()
                .filter(claim -> rows.mayMix() || which.length() <= LONGEST_KEY)
                .map(claim -> WantedValue.ofRow(claim, which));
    }

    // ---- time ----

    /** {@return whether the call has gone on for as long as it may, a pause from now} */
    boolean isOver(long pause) {
        return parts.time().nanos() + pause - startedAt
                >= parts.settings().timeout().toNanos();
    }

    long waited() {
        return parts.time().nanos() - startedAt;
    }

    /** {@return a pause before the next round, longer from round to round} */
    long nextPause() {
        return parts.pause(rounds++);
    }

    // ---- the pinned timestamp ----

    /**
     * The timestamp of one round of claims and writes, pinned immediately before its first statement is sent.
     *
     * @param timestamp of the row's write and of its claims, in microseconds
     * @param claimId the id of the claims
     * @param deadline until when the row must be there, on the monotonic clock
     */
    record Pin(long timestamp, UUID claimId, long deadline) {}

    Pin pin() {
        return Objects.requireNonNull(pin, "Nothing is pinned yet");
    }

    /** {@return the claim that the call makes of each of its values} */
    Claim pinnedClaim() {
        return new Claim(owner, pin().claimId(), origin, pin().timestamp());
    }

    /** {@return the timestamp that the call was decided at, if it is in a scope and that is young; a new one otherwise} */
    long decidedAt() {
        long fresh = parts.time().nextTimestamp();
        return scope == null || rules().isOld(scope.timestamp(), fresh) ? fresh : scope.timestamp();
    }

    /**
     * Pins the first timestamp: the scope's as long as it is young enough, and at least the floor. One that has grown old
     * before its first use could lie below the fence of a takeover that happened meanwhile.
     *
     * @throws io.surewrite.cql.ClockOffsetException if clocks are known to be too far apart to claim anything
     */
    Pin pinFirst(long floor) {
        parts.time().clocks().require(operation);
        long now = parts.time().nanos();
        long fresh = parts.time().nextTimestamp();
        UUID id = parts.ids().get();
        long least = apart(floor, id);
        Long firstUse = scope == null ? null : parts.pins().firstUse(scope.timestamp(), now);
        if (scope != null && firstUse != null) {
            long drawnAt = now - TimeUnit.MICROSECONDS.toNanos(Math.max(0, fresh - scope.timestamp()));
            long deadline = rules().deadline(Math.min(firstUse, drawnAt));
            if (!rules().isLate(now, deadline)) {
                return pinned(Math.max(scope.timestamp(), least), id, deadline);
            }
        }
        long above = scope == null ? least : Math.max(least, scope.timestamp() + 1);
        return pinned(Math.max(fresh, above), id, rules().deadline(now));
    }

    /** Callers that saw the same row, with clocks behind it, would otherwise take the same timestamp, and mix the row. */
    private static long apart(long floor, UUID id) {
        return floor == RowSnapshot.NEVER ? floor : floor + (id.hashCode() & APART_MASK);
    }

    /** Pins the timestamp of what is there already, for which nothing is written. */
    Pin pinAt(long timestamp) {
        parts.time().clocks().require(operation);
        return pinned(
                timestamp, parts.ids().get(), rules().deadline(parts.time().nanos()));
    }

    /**
     * Pins exactly the next timestamp above one that was seen, for another round of claims. It is hardly newer than the one
     * before, so it does not live longer either.
     */
    Pin pinAbove(long seen) {
        UUID id = rules().idForClaimingAgain(pin().claimId(), parts.ids());
        return pinned(Math.max(pin().timestamp(), seen + 1), id, pin().deadline());
    }

    /** Pins the same timestamp under another id, for what is claimed again after it was given back. */
    Pin pinUnderAnotherId() {
        UUID id = rules().idAfterGivingBack(pin().claimId(), parts.ids());
        return pinned(pin().timestamp(), id, pin().deadline());
    }

    /** Pins a timestamp of now, above all before and above the floor, for another write. */
    Pin pinAgain(long floor, long step) {
        UUID id = rules().idForClaimingAgain(pin().claimId(), parts.ids());
        long above = Math.max(pin().timestamp(), floor) + 1;
        return pinned(
                Math.max(parts.time().nextTimestamp(), above) + step,
                id,
                rules().deadline(parts.time().nanos()));
    }

    private Pin pinned(long timestamp, UUID claimId, long deadline) {
        Pin pinned = new Pin(timestamp, claimId, deadline);
        pin = pinned;
        return pinned;
    }

    boolean isLate() {
        return rules().isLate(parts.time().nanos(), pin().deadline());
    }

    /** {@return whether the deadline is over a pause from now} */
    boolean isLateIn(long pause) {
        return rules().isLate(parts.time().nanos() + pause, pin().deadline());
    }

    // ---- what was sent ----

    /** {@return whether a write of the row was sent that may take effect} */
    boolean rowSent() {
        return rowSent;
    }

    void rowSent(boolean sent) {
        rowSent = sent;
    }

    // ---- requests ----

    /** Asks a port, with the call current for tracing while the request is sent. */
    <T extends @Nullable Object> CompletionStage<T> ask(Supplier<CompletionStage<T>> port) {
        WriteScope.Opened opened = heard.stepStarted();
        try {
            return port.get();
        } catch (RuntimeException failure) {
            return Stages.failed(failure);
        } finally {
            opened.close();
        }
    }

    /** Asks the table of claims; no answer is an unclear one. */
    CompletionStage<ClaimAnswer> askClaims(Function<ClaimStore, CompletionStage<ClaimAnswer>> statement) {
        return ask(() -> statement.apply(parts.claims()))
                .exceptionally(failure -> new ClaimAnswer.Unclear(DriverFailures.unwrapped(failure)));
    }

    CompletionStage<Optional<SeenClaim>> readClaim(ClaimKey key) {
        return repeated(parts.claims(), ClaimStore::elsewhere, from -> from.read(key));
    }

    CompletionStage<Set<String>> readReported(ClaimKey key) {
        return repeated(parts.reported(), (reported, failure) -> reported, from -> from.owners(key));
    }

    CompletionStage<RowSnapshot> read(String which) {
        return askRows(from -> from.read(which));
    }

    /** Sends what may be sent again to the table of rows, for as long as the call may go on. */
    <T extends @Nullable Object> CompletionStage<T> askRows(Function<ConstrainedRows, CompletionStage<T>> request) {
        return repeated(rows, ConstrainedRows::elsewhere, request);
    }

    private <P, T extends @Nullable Object> CompletionStage<T> repeated(
            P way, BiFunction<P, Throwable, P> elsewhere, Function<P, CompletionStage<T>> request) {
        return parts.repeat(startedAt, 0, way, elsewhere, from -> ask(() -> request.apply(from)));
    }

    <T extends @Nullable Object> CompletionStage<T> after(long nanos, Supplier<CompletionStage<T>> next) {
        return parts.after(nanos, next);
    }

    /**
     * Frees values that the row does not have any more. It succeeds when they are free, or another row's.
     *
     * @param below the timestamp of the write that took the values off the row
     * @param overtaken what to do where the row has got a claim again since, with this timestamp
     */
    CompletionStage<Void> release(List<ClaimKey> values, long below, LongFunction<CompletionStage<Void>> overtaken) {
        return Stages.all(values, value -> askClaims(claims -> claims.release(value, owner, below)))
                .thenCompose(answers -> {
                    long highest = RowSnapshot.NEVER;
                    for (ClaimAnswer answer : answers) {
                        if (answer instanceof ClaimAnswer.Unclear unclear) {
                            return Stages.failed(unknown(unclear.cause()));
                        }
                        if (answer instanceof Refused refused
                                && refused.seen() != null
                                && refused.seen().isOf(owner)
                                && refused.seen().claim().writeTs() >= below) {
                            highest = Math.max(highest, refused.seen().claim().writeTs());
                        }
                    }
                    return highest != RowSnapshot.NEVER && rules().heedsOvertakenRelease()
                            ? overtaken.apply(highest)
                            : Stages.done();
                });
    }

    // ---- how it may end ----

    /** Reports the call to the logical write that it is a part of. */
    void noteBegin() {
        if (scope != null) {
            scope.statements().begun(this);
        }
    }

    void noteEnd(@Nullable Throwable failure) {
        if (scope != null && failure == null) {
            scope.statements().acknowledged(this);
        } else if (scope != null && !(failure instanceof UnknownOutcomeException)) {
            scope.statements().withdrawn(this);
        }
    }

    RuntimeException unknown(@Nullable Throwable cause) {
        return new UnknownOutcomeException(
                "%s: given up after %d ms; the row may be written, now or later. Calling it again with the same arguments settles it"
                        .formatted(operation, waited() / 1_000_000),
                cause);
    }

    RuntimeException unavailable(@Nullable Throwable cause) {
        if (cause instanceof RuntimeException wrong && WriteFailures.ofPlain(wrong) == FailureKind.WRONG_STATEMENT) {
            return wrong; // a clear answer: trying again never helps
        }
        return new ClaimsUnavailableException(
                "%s: no clear answer after %d ms; the row was not written. Calling it again is safe"
                        .formatted(operation, waited() / 1_000_000),
                cause);
    }

    /** {@return what to report when the cluster does not answer} */
    RuntimeException noAnswer(@Nullable Throwable cause) {
        return rowSent ? unknown(cause) : unavailable(cause);
    }
}
