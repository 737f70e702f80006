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
 * share one {@link WriteScope}, and so one timestamp, with every statement sent on the calling thread.
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
 *
 * @see #reactive()
 */
public interface WriteRetryTemplate {

    /**
     * Runs a blocking write; waits on the calling thread between attempts.
     *
     * @param operation its name for logs and metrics, without values
     * @param write sends the statements
     * @param <T> what it returns
     * @return what the write returned
     */
    <T extends @Nullable Object> T execute(String operation, Supplier<T> write);

    /**
     * Like {@link #execute}, for writes that throw checked exceptions.
     *
     * @param operation its name for logs and metrics, without values
     * @param write sends the statements
     * @param <T> what it returns
     * @return what the write returned
     * @throws Throwable what {@link #execute} throws, and whatever else the write throws
     */
    <T extends @Nullable Object> T call(String operation, Attempt<T> write) throws Throwable;

    /**
     * Runs an asynchronous write. The first attempt starts on the calling thread, the others on a pool's. Cancelling the
     * future, or completing it in any other way, ends the write: no further attempt or statement begins, and nothing is kept.
     * What was sent already may be in effect.
     *
     * @param operation its name for logs and metrics, without values
     * @param write sends the statements and completes when they are done; statements it sends from another thread are not
     *     in the scope
     * @param <T> what it returns
     * @return completes like {@link #execute}
     */
    <T extends @Nullable Object> CompletableFuture<T> executeAsync(
            String operation, Supplier<? extends CompletionStage<T>> write);

    /**
     * The same for reactive writes. Reactor must be on the class path.
     *
     * @return runs publishers as this template runs calls
     */
    ReactiveWriteRetry reactive();

    /**
     * How often and how long this template tries.
     *
     * @return the settings
     */
    RetrySettings settings();

    /**
     * The same template with other settings.
     *
     * @param other how often and how long
     * @return a new template
     */
    WriteRetryTemplate with(RetrySettings other);

    /**
     * Runs the write once.
     *
     * @param <T> what it returns
     */
    @FunctionalInterface
    interface Attempt<T extends @Nullable Object> {

        /**
         * Runs the write.
         *
         * @return what it returns
         * @throws Throwable if it failed
         */
        T run() throws Throwable;
    }
}
