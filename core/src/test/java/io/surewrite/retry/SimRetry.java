package io.surewrite.retry;

import io.micrometer.observation.ObservationRegistry;
import io.surewrite.retry.ScopedRetryTemplate.RetrySupport;
import io.surewrite.simulation.SimProcess;
import io.surewrite.write.Backoff;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteHolds;
import io.surewrite.write.WriteScope;
import io.surewrite.write.WriteTimestamps;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The retry that ships, driven by the clock and the timers of a simulated process. */
public final class SimRetry {

    /** How long a call may go on. */
    public static final Duration DEADLINE = Duration.ofSeconds(3);

    private final SimProcess process;
    private final ScopedRetryTemplate template;

    public SimRetry(SimProcess process, WriteTimestamps timestamps, long seed) {
        this.process = process;
        this.template = ScopedRetryTemplate.forIdempotentWrites(
                new RetrySettings(4, DEADLINE, new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1), 2)),
                new RetrySupport(
                        timestamps, Circuit.NONE, ObservationRegistry.NOOP, new Random(seed), process::nanos, null));
    }

    /** A write that has its timestamp; under nothing by a planted bug, which looks at nothing that is held. */
    public Pinned begin(boolean underNothing) {
        WriteHolds held = underNothing ? WriteHolds.NONE : WriteHolds.current();
        RetryCall call = new RetryCall("write", template, null, held, null);
        return write -> {
            CompletableFuture<@Nullable Throwable> end = new CompletableFuture<>();
            attempt(call, scope -> write.apply(scope.timestamp()), end);
            return end;
        };
    }

    /** A call whose attempts make notes of their statements; becomes null for success, or what the caller gets. */
    public CompletionStage<@Nullable Throwable> call(Function<WriteScope, CompletionStage<?>> attempt) {
        CompletableFuture<@Nullable Throwable> end = new CompletableFuture<>();
        attempt(new RetryCall("write", template, null, WriteHolds.NONE, null), attempt, end);
        return end;
    }

    /** A write that has its timestamp. */
    @FunctionalInterface
    public interface Pinned {

        /** Sends it until it succeeds or is given up; becomes null for success, or what the caller gets. */
        CompletionStage<@Nullable Throwable> send(LongFunction<CompletionStage<?>> write);
    }

    private void attempt(
            RetryCall call,
            Function<WriteScope, CompletionStage<?>> write,
            CompletableFuture<@Nullable Throwable> end) {
        try {
            call.startAttempt();
        } catch (RuntimeException lost) {
            failed(call, write, end, lost);
            return;
        }
        write.apply(call.scope()).whenComplete((done, thrown) -> {
            Throwable failure = thrown == null ? call.whyNoSuccess() : thrown;
            if (failure == null) {
                call.succeeded();
                end.complete(null);
            } else {
                failed(call, write, end, failure);
            }
        });
    }

    private void failed(
            RetryCall call,
            Function<WriteScope, CompletionStage<?>> write,
            CompletableFuture<@Nullable Throwable> end,
            Throwable failure) {
        Duration wait = call.afterFailure(failure);
        if (wait == null) {
            end.complete(call.giveUp());
        } else {
            process.after(wait.toNanos(), () -> attempt(call, write, end));
        }
    }

    /** {@return whether a write that ended so may be in effect} */
    public static boolean mayBeInEffect(Throwable end) {
        return end instanceof UnknownOutcomeException;
    }
}
