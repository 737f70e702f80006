package io.surewrite.retry;

import io.micrometer.observation.ObservationRegistry;
import io.surewrite.internal.observe.Observed;
import io.surewrite.internal.observe.Observed.WriteEnd;
import io.surewrite.internal.observe.QuietLog;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.internal.session.SureLevel;
import io.surewrite.write.AttemptNotes;
import io.surewrite.write.ClockOffsetException;
import io.surewrite.write.FailureKind;
import io.surewrite.write.Internal;
import io.surewrite.write.SentWrites;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteFailures;
import io.surewrite.write.WriteHolds;
import io.surewrite.write.WriteKeeper;
import io.surewrite.write.WriteReceipt;
import io.surewrite.write.WriteScope;
import io.surewrite.write.WriteTimestamps;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The one {@link WriteRetryTemplate}. The first attempt is made at no more cost than its scope; what only failures need is
 * made after the first one.
 *
 * @param reads whether it is for calls that only read
 * @param ofOneSession whether it is for writes to one session, whose clocks are asked before anything else is done
 */
@Internal
public record ScopedRetryTemplate(RetrySettings settings, boolean reads, boolean ofOneSession, RetrySupport support)
        implements WriteRetryTemplate {

    /** A template for idempotent writes, which the driver may then repeat too. */
    public static ScopedRetryTemplate forIdempotentWrites(RetrySettings settings, RetrySupport support) {
        return new ScopedRetryTemplate(settings, false, false, support);
    }

    @Override
    public ScopedRetryTemplate with(RetrySettings other) {
        return new ScopedRetryTemplate(other, reads, ofOneSession, support);
    }

    /**
     * The same template for calls that only read. What becomes of them is never unknown: when they are given up, the
     * caller gets the last failure. No circuit breaker refuses them.
     */
    public ScopedRetryTemplate forReads() {
        return with(true, ofOneSession, support.with(support.timestamps(), Circuit.NONE));
    }

    /** The same template for writes to one session, whose clocks are asked before anything else is done. */
    public ScopedRetryTemplate on(WriteTimestamps timestamps, String session) {
        return with(reads, true, support.with(timestamps, support.circuit().ofSession(session)));
    }

    /** The same template for writes to one table, which spans name. */
    public ScopedRetryTemplate about(String table) {
        return with(reads, ofOneSession, support.about(table));
    }

    private ScopedRetryTemplate with(boolean forReads, boolean one, RetrySupport its) {
        return new ScopedRetryTemplate(settings, forReads, one, its);
    }

    @Override
    public <T extends @Nullable Object> T execute(String operation, Supplier<T> write) {
        try {
            return call(operation, write::get);
        } catch (Throwable failure) { // a supplier throws no checked exceptions
            throw DriverFailures.unchecked(failure);
        }
    }

    @Override
    public <T extends @Nullable Object> T call(String operation, Attempt<T> write) throws Throwable {
        return call(operation, write, Attempt::run, null);
    }

    /**
     * Like {@link #call(String, Attempt)}, for a write that need not capture what it works on, and is kept when it is given up.
     *
     * @param fallback what to do when attempts or time are used up, or null to fail
     * @throws Throwable what {@link #execute} throws, and whatever else the write throws; what kept it from being kept
     *     is suppressed
     */
    public <I, T extends @Nullable Object> T call(
            String operation, I input, Write<I, T> write, @Nullable Fallback<T> fallback) throws Throwable {
        WriteScope around = WriteScope.current();
        if (isRetried(around)) {
            return write.run(input);
        }
        WriteHolds holds = holds(operation, WriteHolds.current(), fallback);
        // What only failures need is made after the first one: most calls have none.
        WriteScope scope = newScope(fallback);
        long timestamp = (around == null ? scope : around).timestamp();
        RuntimeException lost = holds.refusal(timestamp);
        if (lost != null) {
            throw lost;
        }
        Observed observed = observe(operation, timestamp);
        long start = support.nanoTime().getAsLong();
        Circuit circuit = support.circuit();
        boolean passed = circuit.tryPass();
        T answer;
        try {
            if (!passed) {
                RetryCall.holdBack(scope, operation, circuit);
            }
            answer = attempt(scope, observed, input, write);
            if (!passed) {
                throw new WriteCircuitOpenException(operation, circuit.remainsOpen());
            }
            UnknownOutcomeException tooLate = lostAfterAnswer(operation, holds, timestamp);
            if (tooLate != null) {
                throw tooLate;
            }
        } catch (Throwable first) {
            RetryCall call = new RetryCall(operation, this, observed, scope, timestamp, holds, start);
            if (passed) {
                call.attemptStarted(start);
            }
            return repeat(call, first, () -> write.run(input), fallback);
        }
        circuit.answered(support.nanoTime().getAsLong() - start);
        observed.stopWrite(WriteEnd.SUCCEEDED, 1);
        return answer;
    }

    /** Repeats a blocking write after its first failure, until its end. */
    private <T extends @Nullable Object> T repeat(
            RetryCall call, Throwable first, Attempt<T> write, @Nullable Fallback<T> fallback) throws Throwable {
        // Spring Retry knows calls only whose first attempt it makes. It gets its failure as that of its first attempt.
        Attempt<T> next = new Attempt<>() {

            private boolean replayed;

            @Override
            public T run() throws Throwable {
                if (!replayed) {
                    replayed = true;
                    throw first;
                }
                T answer = attempt(call, write);
                RuntimeException noSuccess = call.whyNoSuccess();
                if (noSuccess != null) {
                    throw noSuccess;
                }
                return answer;
            }
        };
        T answer;
        try {
            answer = SpringRetryEngine.run(next, failure -> {
                Duration wait = call.afterFailure(failure);
                // An interrupt that came while a statement was under way says the same as one in the wait.
                return Thread.currentThread().isInterrupted() ? null : wait;
            });
        } catch (Throwable last) {
            return giveUp(call, fallback);
        }
        call.succeeded();
        return answer;
    }

    private static <T extends @Nullable Object> T giveUp(RetryCall call, @Nullable Fallback<T> fallback)
            throws Throwable {
        // A caller that is interrupted does not want it done later either.
        if (fallback == null || !call.mayKeep() || Thread.currentThread().isInterrupted()) {
            throw call.giveUp();
        }
        WriteReceipt receipt;
        try {
            receipt = call.keep().join();
        } catch (CompletionException failure) {
            throw call.notKept(failure);
        }
        return call.kept(fallback, receipt);
    }

    static <T extends @Nullable Object> T attempt(RetryCall call, Attempt<T> write) throws Throwable {
        call.startAttempt();
        return attempt(call.scope(), call.observed(), write, Attempt::run);
    }

    /** What a call is made under. A read may be made under what is lost; what it leads to is not written. */
    private WriteHolds holds(String operation, WriteHolds held, @Nullable Fallback<?> fallback) {
        if (fallback != null && !held.isEmpty()) {
            throw new IllegalStateException(
                    "%s is called under lease %s, and whenExhausted = BACKLOG: a kept write would be done later, after writes of other holders. Fix: call it without the lease, or let it fail. A lease that only elects who works, and orders no writes: acquire it by tryAcquireAsync"
                            .formatted(operation, held));
        }
        return reads ? WriteHolds.NONE : held;
    }

    /** Success is reported only of what was done under what is still held: what is thrown otherwise, or null. */
    static @Nullable UnknownOutcomeException lostAfterAnswer(String operation, WriteHolds holds, long timestamp) {
        RuntimeException lost = holds.refusal(timestamp);
        return lost == null
                ? null
                : new UnknownOutcomeException(
                        "%s: it was acknowledged, but the lease was lost by then: another holder may not have seen it, or may have written over it"
                                .formatted(operation),
                        lost);
    }

    private static <I, T extends @Nullable Object> T attempt(
            WriteScope scope, Observed observed, I input, Write<I, T> write) throws Throwable {
        WriteScope.Opened opened = scope.open();
        WriteScope.Opened traced = observed.open();
        try {
            return write.run(input);
        } finally {
            traced.close();
            opened.close();
        }
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> executeAsync(
            String operation, Supplier<? extends CompletionStage<T>> write) {
        return executeAsync(operation, write, null);
    }

    /**
     * Like {@link #executeAsync(String, Supplier)}, for a write that is kept when it is given up.
     *
     * @param fallback what to do when attempts or time are used up, or null to fail
     */
    public <T extends @Nullable Object> CompletableFuture<T> executeAsync(
            String operation, Supplier<? extends CompletionStage<T>> write, @Nullable Fallback<T> fallback) {
        WriteScope around = WriteScope.current();
        if (isRetried(around)) {
            return write.get().toCompletableFuture();
        }
        RetryCall call;
        try {
            call = start(operation, around, WriteHolds.current(), fallback);
        } catch (ClockOffsetException refused) {
            return CompletableFuture.failedFuture(refused);
        }
        return new AsyncWriteRetry<>(call, write, fallback).begin();
    }

    @Override
    public ScopedReactiveRetry reactive() {
        return new ScopedReactiveRetry(this);
    }

    /**
     * @param around what decides the timestamp in the place of the call, or null
     */
    RetryCall start(String operation, @Nullable WriteScope around, WriteHolds held, @Nullable Fallback<?> fallback) {
        WriteHolds holds = holds(operation, held, fallback);
        WriteScope scope = newScope(fallback);
        long timestamp = (around == null ? scope : around).timestamp();
        return new RetryCall(
                operation,
                this,
                observe(operation, timestamp),
                scope,
                timestamp,
                holds,
                support.nanoTime().getAsLong());
    }

    private Observed observe(String operation, long timestamp) {
        Observed observed = Observed.start(support.observations(), "surewrite.write", operation, support.table());
        if (!reads) {
            observed.with("timestamp", timestamp);
        }
        return observed;
    }

    private WriteScope newScope(@Nullable Fallback<?> fallback) {
        WriteTimestamps timestamps = support.timestamps();
        AttemptNotes notes = AttemptNotes.askingClocks(timestamps, settings.deadline());
        WriteScope scope = new WriteScope(
                // A read draws nothing that a wrong clock could spoil.
                reads ? timestamps.tick() : timestamps.nextPairUnasked(),
                true,
                true,
                support.level(),
                fallback == null ? null : new SentWrites(fallback.keeper()),
                notes);
        if (ofOneSession && !reads) {
            notes.requireClock(timestamps);
        }
        return scope;
    }

    /** What a bean of the application is made of. */
    public static ScopedRetryTemplate of(WriteRetryTemplate template) {
        if (template instanceof ScopedRetryTemplate ours) {
            return ours;
        }
        throw new IllegalArgumentException(
                "A %s is no template of Surewrite. Fix: make it by with(settings) of the bean 'cassandraRetryTemplate'"
                        .formatted(template.getClass().getName()));
    }

    static boolean isRetried(@Nullable WriteScope scope) {
        return scope != null && scope.retried();
    }

    FailureKind classify(Throwable failure) {
        FailureKind kind = WriteFailures.ofPlain(failure);
        boolean mayBeInEffect = kind == FailureKind.UNKNOWN || kind == FailureKind.DECIDED;
        return reads && mayBeInEffect ? FailureKind.NOT_APPLIED : kind;
    }

    /** A write and what it works on. */
    @FunctionalInterface
    public interface Write<I, T extends @Nullable Object> {

        T run(I input) throws Throwable;
    }

    /** What to do with a write that is given up although it could succeed later. */
    public record Fallback<T extends @Nullable Object>(WriteKeeper keeper, Function<WriteReceipt, T> answer) {}

    /**
     * What all retry templates of a session share.
     *
     * @param table the name, with its keyspace, of the one table that is written; null if it is not known
     * @param random draws the waits; safe for use by many threads
     * @param nanoTime monotonic time in nanoseconds, which also passes while the machine sleeps
     * @param level the session's level of sure writes, or null to leave levels to the driver
     */
    public record RetrySupport(
            WriteTimestamps timestamps,
            Circuit circuit,
            ObservationRegistry observations,
            @Nullable String table,
            RandomGenerator random,
            LongSupplier nanoTime,
            @Nullable SureLevel level,
            QuietLog lines) {

        /**
         * For writes to any table.
         *
         * @param random draws the waits; safe for use by many threads
         * @param nanoTime monotonic time in nanoseconds, which also passes while the machine sleeps
         * @param level the session's level of sure writes, or null to leave levels to the driver
         */
        public RetrySupport(
                WriteTimestamps timestamps,
                Circuit circuit,
                ObservationRegistry observations,
                RandomGenerator random,
                LongSupplier nanoTime,
                @Nullable SureLevel level) {
            this(timestamps, circuit, observations, null, random, nanoTime, level, new QuietLog());
        }

        /** The same for another session. */
        RetrySupport with(WriteTimestamps others, Circuit its) {
            return new RetrySupport(others, its, observations, table, random, nanoTime, level, lines);
        }

        /** The same for writes to one table. */
        RetrySupport about(String one) {
            return new RetrySupport(timestamps, circuit, observations, one, random, nanoTime, level, lines);
        }
    }
}
