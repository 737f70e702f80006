package io.surewrite.retry;

import io.micrometer.observation.ObservationRegistry;
import io.surewrite.internal.observe.Observed;
import io.surewrite.internal.observe.QuietLog;
import io.surewrite.internal.session.DriverFailures;
import io.surewrite.internal.session.SureLevel;
import io.surewrite.write.AttemptNotes;
import io.surewrite.write.FailureKind;
import io.surewrite.write.Internal;
import io.surewrite.write.SentWrites;
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

/** The one {@link WriteRetryTemplate}. */
@Internal
public record ScopedRetryTemplate(
        RetrySettings settings,
        boolean reads,
        RetrySupport support,
        @Nullable Fallback fallback) implements WriteRetryTemplate {

    public static ScopedRetryTemplate forIdempotentWrites(RetrySettings settings, RetrySupport support) {
        return new ScopedRetryTemplate(settings, false, support, null);
    }

    @Override
    public ScopedRetryTemplate with(RetrySettings other) {
        return new ScopedRetryTemplate(other, reads, support, fallback);
    }

    /** For calls that only read: what becomes of them is never unknown, and no circuit breaker refuses them. */
    public ScopedRetryTemplate forReads() {
        return new ScopedRetryTemplate(settings, true, support.with(support.timestamps(), Circuit.NONE), null);
    }

    /** For writes to another session. */
    public ScopedRetryTemplate on(WriteTimestamps timestamps, String session) {
        Circuit its = support.circuit().ofSession(session);
        return new ScopedRetryTemplate(settings, reads, support.with(timestamps, its), fallback);
    }

    /** For writes to one table, which spans name. */
    public ScopedRetryTemplate about(String table) {
        return new ScopedRetryTemplate(settings, reads, support.about(table), fallback);
    }

    /** For writes that are kept when they are given up. */
    public ScopedRetryTemplate keeping(Fallback its) {
        return new ScopedRetryTemplate(settings, reads, support, its);
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
    @SuppressWarnings({"unchecked", "NullAway"}) // who has it kept says what it answers
    public <T extends @Nullable Object> T call(String operation, Attempt<T> write) throws Throwable {
        WriteScope around = WriteScope.current();
        if (isRetried(around)) {
            return write.run();
        }
        RetryCall call = new RetryCall(operation, this, around, WriteHolds.current());
        T answer;
        try {
            answer = attempt(call, write);
        } catch (Throwable first) {
            try {
                answer = SpringRetryEngine.goOn(first, () -> attempt(call, write), failure -> {
                    Duration wait = call.afterFailure(failure);
                    // An interrupt that came while a statement was under way says the same as one in the wait.
                    return Thread.currentThread().isInterrupted() ? null : wait;
                });
            } catch (Throwable last) {
                return (T) giveUp(call);
            }
        }
        call.succeeded();
        return answer;
    }

    private static <T extends @Nullable Object> T attempt(RetryCall call, Attempt<T> write) throws Throwable {
        T answer = begin(call, write);
        call.requireSuccess();
        return answer;
    }

    /** An attempt of which it is not known yet whether its end is a success. */
    static <T extends @Nullable Object> T begin(RetryCall call, Attempt<T> write) throws Throwable {
        call.startAttempt();
        WriteScope.Opened opened = call.scope().open();
        WriteScope.Opened traced = call.observed().open();
        try {
            return write.run();
        } finally {
            traced.close();
            opened.close();
        }
    }

    private static @Nullable Object giveUp(RetryCall call) throws Throwable {
        // A caller that is interrupted does not want it done later either.
        if (!call.mayKeep() || Thread.currentThread().isInterrupted()) {
            throw call.giveUp();
        }
        try {
            return call.kept(call.keep().join());
        } catch (CompletionException failure) {
            throw call.notKept(failure);
        }
    }

    /** What a call is made under. A read may be made under what is lost; what it leads to is not written. */
    WriteHolds holds(String operation, WriteHolds held) {
        if (fallback != null && !held.isEmpty()) {
            throw new IllegalStateException(
                    "%s is called under lease %s, and whenExhausted = BACKLOG: a kept write would be done later, after writes of other holders. Fix: call it without the lease, or let it fail. A lease that only elects who works, and orders no writes: acquire it by tryAcquireAsync"
                            .formatted(operation, held));
        }
        return reads ? WriteHolds.NONE : held;
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> executeAsync(
            String operation, Supplier<? extends CompletionStage<T>> write) {
        WriteScope around = WriteScope.current();
        if (isRetried(around)) {
            return write.get().toCompletableFuture();
        }
        RetryCall call = new RetryCall(operation, this, around, WriteHolds.current());
        return new AsyncWriteRetry<>(call, write).begin();
    }

    @Override
    public ScopedReactiveRetry reactive() {
        return new ScopedReactiveRetry(this);
    }

    Observed observe(String operation, long timestamp) {
        Observed observed = Observed.start(support.observations(), "surewrite.write", operation, support.table());
        if (!reads) {
            observed.with("timestamp", timestamp);
        }
        return observed;
    }

    WriteScope newScope() {
        WriteTimestamps timestamps = support.timestamps();
        AttemptNotes notes = new AttemptNotes(timestamps, settings.deadline());
        SentWrites sent = fallback == null ? null : new SentWrites(fallback.keeper());
        return new WriteScope(timestamps.drawUnasked(), true, true, support.level(), sent, notes, notes);
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
        return reads && kind == FailureKind.UNKNOWN ? FailureKind.NOT_APPLIED : kind;
    }

    /** What to do with a write that is given up although it could succeed later; answers what the call is to answer then. */
    public record Fallback(WriteKeeper keeper, Function<WriteReceipt, @Nullable Object> answer) {}

    /**
     * What all retry templates of a session share.
     *
     * @param table the name, with its keyspace, of the one table that is written; null if it is not known
     * @param random draws the waits; safe for use by many threads
     * @param nanoTime also passes while the machine sleeps
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

        /** For writes to any table. */
        public RetrySupport(
                WriteTimestamps timestamps,
                Circuit circuit,
                ObservationRegistry observations,
                RandomGenerator random,
                LongSupplier nanoTime,
                @Nullable SureLevel level) {
            this(timestamps, circuit, observations, null, random, nanoTime, level, new QuietLog());
        }

        RetrySupport with(WriteTimestamps others, Circuit its) {
            return new RetrySupport(others, its, observations, table, random, nanoTime, level, lines);
        }

        RetrySupport about(String one) {
            return new RetrySupport(timestamps, circuit, observations, one, random, nanoTime, level, lines);
        }
    }
}
