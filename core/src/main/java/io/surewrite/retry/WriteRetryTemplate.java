package io.surewrite.retry;

import io.surewrite.write.ClockOffsetException;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteScope;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a write until it succeeds, is wrong, or attempts or time are used up. All attempts are one logical write: they
 * share one {@link WriteScope}, and so one timestamp, with every statement sent on the calling thread. Operations are names for
 * logs and metrics, without values.
 *
 * <p>While a clock is known to be wrong, the first write to a session whose nodes show that is refused with
 * {@link ClockOffsetException}.
 *
 * <p>Inside another call of a retry template the write runs once, in the scope of that call and retried with it.
 *
 * <p>Calls that fail throw {@link UnknownOutcomeException} if any attempt may have taken effect,
 * {@link WriteCircuitOpenException} if the circuit breaker forbade the first attempt, and otherwise the last failure.
 *
 * <p>A call that begins under a lease draws its timestamp there. No attempt of it begins, and no success is reported, unless
 * the lease is held; otherwise the outcome is unknown, or the loss itself is thrown if nothing was sent.
 */
public interface WriteRetryTemplate {

    /** Runs a blocking write; waits on the calling thread between attempts. */
    <T extends @Nullable Object> T execute(String operation, Supplier<T> write);

    /**
     * Like {@link #execute}, for writes that throw checked exceptions.
     *
     * @throws Throwable what {@link #execute} throws, and whatever else the write throws
     */
    <T extends @Nullable Object> T call(String operation, Attempt<T> write) throws Throwable;

    /**
     * Runs an asynchronous write. The first attempt starts on the calling thread, the others on a pool's. Cancelling the
     * future, or completing it in any other way, ends the write: no further attempt or statement begins, and nothing is kept.
     * What was sent already may be in effect.
     *
     * @param write sends the statements and completes when they are done; statements it sends from another thread are not
     *     in the scope
     */
    <T extends @Nullable Object> CompletableFuture<T> executeAsync(
            String operation, Supplier<? extends CompletionStage<T>> write);

    /** {@return the same for reactive writes} Reactor must be on the class path. */
    ReactiveWriteRetry reactive();

    /** {@return how often and how long this template tries} */
    RetrySettings settings();

    /** {@return the same template with other settings} */
    WriteRetryTemplate with(RetrySettings other);

    /** Runs the write once. */
    @FunctionalInterface
    interface Attempt<T extends @Nullable Object> {

        T run() throws Throwable;
    }
}
