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
        RetryCall call = call(underNothing ? WriteHolds.NONE : WriteHolds.current());
        return write -> begin(call, scope -> write.apply(scope.timestamp()));
    }

    /** A call whose attempts make notes of their statements; becomes null for success, or what the caller gets. */
    public CompletionStage<@Nullable Throwable> call(Function<WriteScope, CompletionStage<?>> attempt) {
        return begin(call(WriteHolds.NONE), attempt);
    }

    private RetryCall call(WriteHolds held) {
        return new RetryCall("write", template, null, held);
    }

    /** A write that has its timestamp. */
    @FunctionalInterface
    public interface Pinned {

        /** Sends it until it succeeds or is given up; becomes null for success, or what the caller gets. */
        CompletionStage<@Nullable Throwable> send(LongFunction<CompletionStage<?>> write);
    }

    private CompletionStage<@Nullable Throwable> begin(RetryCall call, Function<WriteScope, CompletionStage<?>> write) {
        return new AsyncWriteRetry<@Nullable Object>(
                call, () -> write.apply(call.scope()).thenApply(done -> null)) {
            @Override
            void later(Duration wait, Runnable next) {
                process.after(wait.toNanos(), next);
            }
        }.begin().handle((done, failure) -> failure);
    }

    /** {@return whether a write that ended so may be in effect} */
    public static boolean mayBeInEffect(Throwable end) {
        return end instanceof UnknownOutcomeException;
    }
}
