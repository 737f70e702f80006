package io.surewrite.retry;

import io.surewrite.internal.observe.Observed;
import io.surewrite.internal.observe.Observed.WriteEnd;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.write.AttemptNotes;
import io.surewrite.write.ClockOffsetException;
import io.surewrite.write.FailureKind;
import io.surewrite.write.PartlyDoneException;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteHolds;
import io.surewrite.write.WriteReceipt;
import io.surewrite.write.WriteScope;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;

/** One logical write from its first attempt to its end. One attempt at a time, not always on the same thread. */
final class RetryCall {

    private static final String OUTSIDE =
            " It was not repeated, because %s: a repetition would carry a newer timestamp and undo what others wrote"
                    + " meanwhile. Fix: write on the thread of the call, or carry its scope along:"
                    + " spring.reactor.context-propagation=auto for Reactor, spring.task.execution.propagate-context=true"
                    + " or a ContextExecutorService for executors";

    private static final String SPENT_BATCH =
            " could not be repeated, because its batch was made outside the call, and a batch is sent once only."
                    + " Fix: make it in the call, such as () -> template.batchOps().insert(users).execute(), or"
                    + " Mono.defer(() -> reactiveTemplate.batchOps().insert(users).execute())";

    private static final Logger log = LoggerFactory.getLogger(RetryCall.class);

    private final String operation;
    private final ScopedRetryTemplate template;
    private final Circuit circuit;
    private final Observed observed;
    private final WriteScope scope;

    /** Of what is written: the scope's, unless another scope around it decides it. */
    private final long timestamp;

    private final WriteHolds holds;
    private final long start;

    private int attempts;
    private volatile boolean unknown;
    private volatile boolean answered;
    private volatile boolean keeping;

    private final AtomicBoolean underWay = new AtomicBoolean();
    private final AtomicBoolean ended = new AtomicBoolean();

    private FailureKind lastKind = FailureKind.OTHER;
    private @Nullable Throwable last;

    /** Of the statements of one attempt: how many are in effect, and how many may be, after all attempts. */
    private int done;

    private int inEffect;

    /** Why it could not, or must not, be repeated whatever its settings say. */
    private @Nullable String obstacle;

    /** How the last attempt failed that did, for the log. */
    private volatile @Nullable String failed;

    /** The last failure after which the write may be in effect. */
    private @Nullable Throwable unknownBy;

    RetryCall(String operation, ScopedRetryTemplate template, @Nullable WriteScope around, WriteHolds held) {
        this.operation = operation;
        this.template = template;
        this.circuit = template.support().circuit();
        this.holds = template.holds(operation, held);
        this.scope = template.newScope();
        this.timestamp = (around == null ? scope : around).timestamp();
        this.observed = template.observe(operation, timestamp);
        this.start = template.support().nanoTime().getAsLong();
    }

    WriteScope scope() {
        return scope;
    }

    Observed observed() {
        return observed;
    }

    /** Counts an attempt, or throws why there is none. */
    void startAttempt() {
        if (last != null && elapsed().compareTo(template.settings().deadline()) >= 0) {
            // The machine slept in the pause, or was busy.
            throw new CompletionException(last);
        }
        RuntimeException lost = holds.refusal(timestamp);
        if (lost != null) {
            throw lost;
        }
        if (!circuit.tryPass()) {
            WriteCircuitOpenException open = new WriteCircuitOpenException(operation);
            if (attempts > 0 || scope.sent() == null) {
                throw open;
            }
            // What the attempt would have sent is to be kept: it runs all the same, and nothing of it is let through.
            scope.sent().holdBack(open);
        } else {
            scope.attemptStarted();
            attempts++;
            underWay.set(true);
            if (isOver()) { // since this attempt was decided on
                if (endAttempt()) {
                    circuit.nothingLearnt();
                }
                throw new CancellationException("Not begun: the caller of this write has given up");
            }
        }
    }

    /** Why an attempt that seems to have succeeded has not: success is reported only of what was done under what is still held. */
    @Nullable
    RuntimeException whyNoSuccess() {
        // One that was held back has sent nothing.
        RuntimeException heldBack = scope.sent() == null ? null : scope.sent().heldBack();
        RuntimeException lost = heldBack == null ? holds.refusal(timestamp) : null;
        return lost == null
                ? heldBack
                : new UnknownOutcomeException(
                        "%s: it was acknowledged, but the lease was lost by then: another holder may not have seen it, or may have written over it"
                                .formatted(operation),
                        lost);
    }

    void requireSuccess() {
        RuntimeException noSuccess = whyNoSuccess();
        if (noSuccess != null) {
            throw noSuccess;
        }
    }

    /** Whoever ends it: the circuit is told once. */
    private boolean endAttempt() {
        return underWay.compareAndSet(true, false);
    }

    /** If the caller wants no more, that is no failure. */
    void answered() {
        answered = true;
    }

    boolean isAnswered() {
        return answered;
    }

    void succeeded() {
        end(WriteEnd.SUCCEEDED);
        if (endAttempt()) {
            circuit.answered();
        }
    }

    /** The caller has given up: nothing else begins and nothing is kept, but what was sent may take effect. */
    void abandoned() {
        scope.statements().abandon();
        if (answered) {
            succeeded();
            return;
        }
        boolean mayBeInEffect = (underWay.get() || unknown || keeping) && !template.reads();
        // First, so that an attempt that begins now sees it.
        end(mayBeInEffect ? WriteEnd.UNKNOWN : WriteEnd.FAILED);
        if (endAttempt()) {
            circuit.nothingLearnt();
        }
    }

    /** Whether the caller has an answer, or does not want one any more. */
    boolean isOver() {
        return ended.get();
    }

    private void end(WriteEnd end) {
        if (ended.compareAndSet(false, true)) {
            log(end);
            observed.stopWrite(end, attempts);
        }
    }

    private void attemptFailed(FailureKind kind, Throwable failure) {
        observed.attemptFailed(attempts, kind, failure);
        if (kind != FailureKind.OTHER) {
            failed = NestedExceptionUtils.getMostSpecificCause(failure)
                            .getClass()
                            .getSimpleName()
                    + ", " + Observed.lowerCase(kind);
            log.debug("{}: attempt {} failed: {}", operation, attempts, failed);
        }
    }

    /** One line at most for each logical write, without values, which messages of failures may hold. */
    private void log(WriteEnd end) {
        switch (end) {
            case UNKNOWN -> logGivenUp("it may be in effect, or come into effect", end);
            case EXHAUSTED -> {
                if (attempts > 0) { // else a circuit breaker has a line of its own
                    logGivenUp("it is not in effect", end);
                }
            }
            case KEPT -> log.debug("{}: kept after {} attempt(s), the last failed: {}", operation, attempts, failed);
            case SUCCEEDED, REJECTED, FAILED -> {
                if (attempts > 1) {
                    String line = "%s: %s after %d attempts, one failed: %s"
                            .formatted(operation, Observed.lowerCase(end), attempts, failed);
                    template.support().lines().say(operation + '|' + end, more -> log.info("{}{}", line, more));
                }
            }
        }
    }

    private void logGivenUp(String so, WriteEnd end) {
        String line = "%s: given up after %d attempt(s), %s. The last failed: %s%s"
                .formatted(operation, attempts, so, failed, obstacle == null ? "" : "." + obstacle);
        template.support().lines().say(operation + '|' + end, more -> log.warn("{}{}", line, more));
    }

    /** {@return how long to wait before the next attempt, or null to give up} Asked once after every failure. */
    @Nullable
    Duration afterFailure(Throwable thrown) {
        Throwable failure = DriverFailures.unwrapped(thrown);
        Throwable before = last;
        boolean spent = false;
        if (attempts > 1 && before != null && isSpentBatch(failure)) {
            // Spring Data sends a batch once. The batch has done nothing, and so its failure is that of the one before.
            spent = true;
            obstacle = " It" + SPENT_BATCH;
            before.addSuppressed(new IllegalStateException(operation + SPENT_BATCH, failure));
            lastKind = FailureKind.NOT_APPLIED;
        } else {
            before = failure;
            last = failure;
            lastKind = template.classify(failure);
        }
        if (underWay.get()) {
            // Before the attempt ends: a caller who gives up meanwhile must not take it for one without effect.
            FailureKind kind = join(before, scope.statements().tally(failure, template::classify));
            if (endAttempt()) {
                tellCircuit(spent ? FailureKind.OTHER : lastKind, failure);
                attemptFailed(kind, failure);
            }
        }
        if (spent) {
            return null;
        }
        // What the caller's own code throws is passed on as it is.
        String outside = template.reads() || lastKind == FailureKind.OTHER ? null : scope.writtenOutside(failure);
        if (outside != null) {
            obstacle = OUTSIDE.formatted(outside);
            // What became of those writes cannot be seen from here.
            unknown = true;
            return null;
        }
        if (!lastKind.isRetryable() || attempts >= template.settings().attempts()) {
            return null;
        }
        Duration wait = template.settings()
                .backoff()
                .afterFailures(attempts, template.support().random());
        return elapsed().plus(wait).compareTo(template.settings().deadline()) < 0 ? wait : null;
    }

    /** What the attempt means for the whole call: that its last statement did nothing says nothing of those before it. */
    private FailureKind join(Throwable failure, AttemptNotes.Tally tally) {
        done = Math.max(done, tally.done());
        inEffect = Math.max(inEffect, tally.inEffect());
        // Of failures that are not the cluster's, these are ours: they say that nothing was sent.
        boolean ours = lastKind != FailureKind.OTHER || failure instanceof ClockOffsetException;
        FailureKind kind = ours && tally.inEffect() > 0 ? FailureKind.UNKNOWN : lastKind;
        if (kind == FailureKind.UNKNOWN || failure instanceof UnknownOutcomeException) {
            unknown = true;
            unknownBy = failure;
        }
        return kind;
    }

    Throwable giveUp() {
        scope.statements().abandon(); // what was begun and not sent yet must not follow
        Throwable failure = last == null ? new IllegalStateException(operation + " ended without an attempt") : last;
        if (failure instanceof Error) {
            end(WriteEnd.FAILED);
            return failure;
        }
        if (unknown) {
            end(WriteEnd.UNKNOWN);
            // That a later attempt did nothing says nothing of the earlier one: it is no cause, but worth knowing.
            Throwable cause = unknownBy == null ? failure : unknownBy;
            RuntimeException lost = holds.refusal(timestamp);
            if (lost == null && cause == failure && done == 0 && failure instanceof UnknownOutcomeException) {
                return failure;
            }
            cause = lost == null ? cause : lost;
            UnknownOutcomeException outcome = unknownBecauseOf(cause, lost != null);
            if (cause != failure) {
                outcome.addSuppressed(failure);
            }
            return outcome;
        }
        end(couldSucceedLater() ? WriteEnd.EXHAUSTED : WriteEnd.FAILED);
        return failure;
    }

    private boolean couldSucceedLater() {
        return lastKind.isRetryable() || last instanceof WriteCircuitOpenException;
    }

    private static boolean isSpentBatch(Throwable failure) {
        return failure instanceof IllegalStateException
                && "This Cassandra Batch was already executed".equals(failure.getMessage());
    }

    private UnknownOutcomeException unknownBecauseOf(Throwable cause, boolean lost) {
        String givenUp = "%s: given up after %d attempt(s) in %d ms"
                .formatted(operation, attempts, elapsed().toMillis());
        String again = lastKind == FailureKind.WRONG_STATEMENT
                ? "When its cause is corrected, calling it again with the same arguments settles it"
                : "Calling it again with the same arguments settles it";
        again += obstacle == null ? "" : "." + obstacle;
        // Statements that took effect after the loss may lie below those of the next holder, as if they had not.
        return done == 0 || lost
                ? new UnknownOutcomeException(
                        "%s; the write may be in effect, now or later. %s".formatted(givenUp, again), cause)
                : new PartlyDoneException(
                        "%s, partly done: %d statement(s) took effect, %d more may be in effect, now or later. %s"
                                .formatted(givenUp, done, inEffect - done, again),
                        cause,
                        done,
                        inEffect - done);
    }

    boolean mayKeep() {
        return obstacle == null && scope.sent() != null && couldSucceedLater();
    }

    /** Keeps what the last attempt sent, and fails if that is not for sure all of it. */
    CompletableFuture<WriteReceipt> keep() {
        keeping = true;
        try {
            return Objects.requireNonNull(scope.sent()).keep(operation, scope.timestamp());
        } catch (RuntimeException impossible) {
            return CompletableFuture.failedFuture(impossible);
        }
    }

    /** {@return what the call answers now, by who has it kept} */
    @Nullable
    Object kept(WriteReceipt receipt) {
        scope.statements().abandon();
        end(WriteEnd.KEPT);
        return Objects.requireNonNull(template.fallback()).answer().apply(receipt);
    }

    Throwable notKept(Throwable failure) {
        Throwable reason = DriverFailures.unwrapped(failure);
        unknown |= reason instanceof UnknownOutcomeException;
        Throwable original = giveUp();
        original.addSuppressed(reason);
        return original;
    }

    private void tellCircuit(FailureKind kind, Throwable failure) {
        switch (kind) {
            case OTHER -> circuit.nothingLearnt();
            case WRONG_STATEMENT -> circuit.answered();
            case NOT_APPLIED, UNKNOWN -> circuit.unavailable(failure);
        }
    }

    private Duration elapsed() {
        return Duration.ofNanos(template.support().nanoTime().getAsLong() - start);
    }
}
