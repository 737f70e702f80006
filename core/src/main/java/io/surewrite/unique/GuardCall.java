package io.surewrite.unique;

import io.surewrite.internal.observe.Observed;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.unique.ClaimStore.Claim;
import io.surewrite.unique.ClaimStore.ClaimAnswer;
import io.surewrite.unique.ClaimStore.ClaimKey;
import io.surewrite.unique.ClaimStore.SeenClaim;
import io.surewrite.unique.UniqueRules.Rule;
import io.surewrite.write.FailureKind;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteFailures;
import io.surewrite.write.WriteScope;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.InvalidDataAccessApiUsageException;

/**
 * One call of the guard: its timestamp, its deadline, what it has sent, and how it may end. Steps that run at the same time
 * only read it.
 */
final class GuardCall {

    final GuardParts parts;
    final ConstrainedRows rows;
    final String operation;
    final String owner;

    /** All attempts of a call that is retried have the same. */
    final UUID origin;

    private final @Nullable WriteScope scope = WriteScope.current();
    private final Observed observed;
    private final long startedAt;
    private BooleanSupplier cancelled = () -> false;
    private long timestamp = RowSnapshot.NEVER;
    private long deadline;
    private long highest;
    private @Nullable UUID raiseId;
    private @Nullable UUID createId;
    private boolean rowSent;
    private int rounds;
    private boolean readsAhead;
    private @Nullable CompletionStage<RowSnapshot> ahead;

    GuardCall(GuardParts parts, ConstrainedRows rows, String operation, String owner, Observed observed) {
        this.parts = parts;
        this.rows = rows;
        this.operation = operation;
        this.owner = owner;
        this.observed = observed;
        this.startedAt = parts.time().nanos();
        this.origin =
                scope == null ? parts.ids().get() : new UUID(parts.process() ^ scope.openedAt(), scope.timestamp());
    }

    boolean keeps(Rule rule) {
        return parts.rules().keeps(rule);
    }

    ClaimKey row() {
        return WantedValue.ofRow(rows, owner);
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

    long nextPause() {
        return parts.pause(rounds++);
    }

    // ---- the timestamp ----

    boolean isPinned() {
        return scope != null;
    }

    long timestamp() {
        return timestamp;
    }

    /**
     * Draws the timestamp of the call, or takes the one that its scope has pinned. The deadline counts from the instant at
     * which it was drawn: when the scope was made, and when this machine's clock showed it, whichever is earlier.
     */
    void decide() {
        parts.time().clocks().require(operation);
        decide(RowSnapshot.NEVER);
    }

    /**
     * The same for a deletion, which claims nothing: where clocks are known to be apart, it counts as late. A drawn timestamp
     * is at least the floor, unless that lies farther ahead than clocks may be apart.
     */
    void decideDeletion(long floor) {
        decide(floor);
        if (parts.time().clocks().problem() != null) {
            deadline = parts.time().nanos();
        }
    }

    private void decide(long floor) {
        long now = parts.time().nanos();
        long fresh = parts.time().nextTimestamp();
        long margin =
                TimeUnit.NANOSECONDS.toMicros(parts.settings().skewMargin().toNanos());
        highest = fresh + margin;
        if (scope == null) {
            timestamp = floor > highest ? fresh : Math.max(fresh, floor);
        } else {
            timestamp = scope.timestamp();
            if (timestamp - fresh > margin) {
                throw new InvalidDataAccessApiUsageException(
                        "%s: the timestamp %d of the write scope is %d ms ahead of the clock, and rows with unique values take none from the future. Fix: pin a timestamp of the past, or set this machine's clock"
                                .formatted(operation, timestamp, (timestamp - fresh) / 1_000));
            }
            long byItsClock = TimeUnit.MICROSECONDS.toNanos(Math.max(0, fresh - timestamp));
            now -= Math.max(byItsClock, parts.time().ageOf(scope));
        }
        deadline = now + usable().toNanos();
        drawIds();
    }

    /** The table counts a reservation in whole seconds. */
    private Duration usable() {
        return parts.settings().lease().minusSeconds(1).minus(parts.settings().skewMargin());
    }

    /** Pins the timestamp of what is there already, for which nothing is written. */
    void decideAt(long written) {
        parts.time().clocks().require(operation);
        timestamp = written;
        drawIds();
    }

    /** Draws everything anew for a call that has waited, and has sent nothing; a pinned timestamp stays. */
    synchronized void decideAgain() {
        ahead = null;
        if (scope == null) {
            decide();
        } else {
            drawIds();
        }
    }

    /** Goes above what another writer of the row has claimed, unless a scope decides or that lies too far ahead of the clock. */
    boolean rises(long above) {
        if (isPinned() || (above > timestamp && above >= highest)) {
            return false;
        }
        timestamp = Math.max(timestamp, above + 1);
        drawIds();
        return true;
    }

    private void drawIds() {
        raiseId = parts.ids().get();
        createId = keeps(Rule.OWN_ID_FOR_WHAT_WAS_CREATED) ? parts.ids().get() : raiseId;
    }

    /** {@return the id for claims that are raised or joined: they stay, whatever becomes of the call} */
    UUID raiseId() {
        return Objects.requireNonNull(raiseId);
    }

    /** {@return the claim that is created or taken, and withdrawn by its id if the call fails} */
    Claim created() {
        return new Claim(owner, Objects.requireNonNull(createId), origin, timestamp);
    }

    private boolean isLate() {
        return parts.time().nanos() - deadline >= 0;
    }

    // ---- what was sent ----

    /** Whether a write was sent that may take effect. */
    boolean rowSent() {
        return rowSent;
    }

    /**
     * Sends the row, or its deletion, at the call's timestamp, and again as it is while there is no answer. An acknowledgement
     * that comes in time is final: a takeover whose timestamp lies above this one's began later, and found the row as it is
     * now. A late one counts only if no takeover has fenced the row since. A timestamp that was pinned so long ago that it
     * could be a takeover's is not even sent where the row is fenced.
     */
    CompletionStage<Void> sendRow(
            Rule late,
            Supplier<CompletionStage<Void>> request,
            Supplier<CompletionStage<Void>> done,
            Function<RuntimeException, CompletionStage<Void>> failed) {
        Supplier<CompletionStage<Void>> sending = () -> send(
                request, () -> unlessFenced(late, done, failed), () -> sendRow(late, request, done, failed), failed);
        return isPinned() ? unlessFenced(late, sending, failed) : sending.get();
    }

    /** Goes on, if the call is not late, or no takeover has fenced the row above its timestamp. */
    private CompletionStage<Void> unlessFenced(
            Rule late, Supplier<CompletionStage<Void>> next, Function<RuntimeException, CompletionStage<Void>> failed) {
        if (!isLate() || !keeps(late)) {
            return next.get();
        }
        return Stages.then(
                repeated(() -> parts.claims().readFence(row())),
                fence -> fence < timestamp ? next.get() : unlessHidden(next, failed),
                failure -> failed.apply(noAnswer(failure)));
    }

    /**
     * Goes on, where the row shows a later operation than any takeover's: then this one lies under that, whatever happened. The
     * fence is read once more, after the row: that may show what a takeover has restored meanwhile.
     */
    private CompletionStage<Void> unlessHidden(
            Supplier<CompletionStage<Void>> next, Function<RuntimeException, CompletionStage<Void>> failed) {
        return Stages.then(
                read(owner)
                        .thenCompose(shown -> repeated(() -> parts.claims().readFence(row()))
                                .thenApply(fence -> rows.constraints().stream()
                                        .anyMatch(constraint -> shown.writtenAt(constraint) > fence))),
                hidden -> hidden ? next.get() : failed.apply(superseded()),
                failure -> failed.apply(noAnswer(failure)));
    }

    private CompletionStage<Void> send(
            Supplier<CompletionStage<Void>> request,
            Supplier<CompletionStage<Void>> acknowledged,
            Supplier<CompletionStage<Void>> again,
            Function<RuntimeException, CompletionStage<Void>> failed) {
        if (isCancelled()) {
            return failed.apply(rowSent ? unknown(null) : new CancellationException(operation + ": not sent"));
        }
        boolean sentBefore = rowSent;
        rowSent = true;
        if (sentBefore && !keeps(Rule.ONE_TIMESTAMP_FOR_ALL_SENDS)) {
            timestamp = parts.time().nextTimestamp();
        }
        if (!sentBefore && !keeps(Rule.THE_DEADLINE_COUNTS_FROM_THE_DRAW)) {
            deadline = parts.time().nanos() + usable().toNanos();
        }
        CompletionStage<Void> answer = ask(request);
        boolean atOnce = answer.toCompletableFuture().isCompletedExceptionally();
        return Stages.then(answer, written -> acknowledged.get(), failure -> {
            FailureKind kind = WriteFailures.ofPlain(failure);
            // What is none of the database's comes from the caller's own code: before the statement left, if it came at
            // once or says that the call itself is wrong. After that nobody knows.
            boolean unsent =
                    kind == FailureKind.OTHER && (atOnce || failure instanceof InvalidDataAccessApiUsageException);
            if (unsent || kind == FailureKind.NOT_APPLIED || kind == FailureKind.WRONG_STATEMENT) {
                rowSent = sentBefore;
            }
            if (!kind.isRetryable()) {
                return failed.apply(rowSent ? unknown(failure) : DriverFailures.unchecked(failure));
            }
            long pause = nextPause();
            return isOver(pause) ? failed.apply(noAnswer(failure)) : after(pause, again);
        });
    }

    // ---- requests ----

    void cancelledIf(BooleanSupplier given) {
        cancelled = given;
    }

    boolean isCancelled() {
        return cancelled.getAsBoolean();
    }

    void takenOver() {
        observed.event("takeover", "from a writer that did not finish");
    }

    /** Asks a port, with the call current for tracing while the request is sent. */
    <T extends @Nullable Object> CompletionStage<T> ask(Supplier<CompletionStage<T>> port) {
        WriteScope.Opened opened = observed.open();
        try {
            return port.get();
        } catch (RuntimeException failure) {
            return Stages.failed(failure);
        } finally {
            opened.close();
        }
    }

    /** Asks the table of claims; no answer is an unclear one. Nobody claims anything for a caller who has given up. */
    CompletionStage<ClaimAnswer> askClaims(Function<ClaimStore, CompletionStage<ClaimAnswer>> statement) {
        return isCancelled()
                ? Stages.done(new ClaimAnswer.Unclear(new CancellationException(operation)))
                : tellClaims(statement);
    }

    CompletionStage<ClaimAnswer> tellClaims(Function<ClaimStore, CompletionStage<ClaimAnswer>> statement) {
        return ask(() -> statement.apply(parts.claims()))
                .exceptionally(failure -> new ClaimAnswer.Unclear(DriverFailures.unwrapped(failure)));
    }

    CompletionStage<Optional<SeenClaim>> readClaim(ClaimKey key) {
        return repeated(() -> parts.claims().read(key));
    }

    CompletionStage<RowSnapshot> read(String which) {
        return repeated(() -> rows.read(which));
    }

    void readsAhead() {
        readsAhead = true;
    }

    /** Begins to read the row beside the creation of a claim, so that nothing waits for it after that. */
    synchronized void gains() {
        if (readsAhead && ahead == null) {
            ahead = ask(() -> rows.read(owner));
        }
    }

    synchronized CompletionStage<RowSnapshot> shown() {
        return ahead == null ? read(owner) : Stages.then(ahead, Stages::done, failure -> read(owner));
    }

    /** Sends what may be sent again, for as long as the call may go on. */
    <T extends @Nullable Object> CompletionStage<T> repeated(Supplier<CompletionStage<T>> request) {
        return parts.repeat(
                startedAt, 0, () -> isCancelled() ? Stages.failed(new CancellationException(operation)) : ask(request));
    }

    <T extends @Nullable Object> CompletionStage<T> after(long nanos, Supplier<CompletionStage<T>> next) {
        return parts.after(nanos, next);
    }

    /**
     * Frees values that the row has no more. That is tidiness: a claim that stays is taken over by whoever wants the value.
     * So no answer, and a refusal, is fine.
     */
    CompletionStage<Void> release(List<ClaimKey> values) {
        long below = keeps(Rule.RELEASED_BELOW_THE_TIMESTAMP) ? timestamp : Long.MAX_VALUE;
        return Stages.all(values, value -> askClaims(claims -> claims.release(value, owner, below)))
                .thenApply(released -> null);
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

    RuntimeException superseded() {
        return new SupersededException(
                "%s: its timestamp is so old that a takeover of one of the row's values may have written the row again as it was before, above it; the row may be written or not. Fix: call it again with the same arguments, or pin a later timestamp"
                        .formatted(operation));
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

    RuntimeException noAnswer(@Nullable Throwable cause) {
        return rowSent && keeps(Rule.UNKNOWN_ONCE_SENT) ? unknown(cause) : unavailable(cause);
    }
}
