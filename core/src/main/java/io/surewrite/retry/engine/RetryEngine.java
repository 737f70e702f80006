package io.surewrite.retry.engine;

import io.surewrite.retry.WriteRetryTemplate;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The library that repeats a blocking call: Spring Retry, or the retry support of Spring Framework 7. What is retried,
 * how often and after what wait is decided by {@link Decision}, the same for all engines.
 */
@FunctionalInterface
public interface RetryEngine {

    /**
     * Runs attempts, one after the other, until one succeeds or the decision is against another.
     *
     * @param operation the name of the operation, for the engine's log
     * @param attempt runs once more
     * @param decision asked once after every failure
     * @param <T> what the attempt returns
     * @return what the successful attempt returned
     * @throws Throwable any exception if no attempt succeeded, or if the thread was interrupted while it waited; then
     *     the interrupt flag is set
     */
    <T extends @Nullable Object> T run(String operation, WriteRetryTemplate.Attempt<T> attempt, Decision decision)
            throws Throwable;

    /**
     * The engine on Spring Retry; it must be on the class path.
     *
     * @return the engine
     */
    static RetryEngine springRetry() {
        return new SpringRetryEngine();
    }

    /**
     * The engine on {@code org.springframework.core.retry}.
     *
     * @return the engine
     */
    static RetryEngine framework() {
        return new FrameworkRetryEngine();
    }

    /** Decides whether to go on. */
    @FunctionalInterface
    interface Decision {

        /**
         * Takes note of a failure.
         *
         * @param failure the failure
         * @return how long to wait before the next attempt, or null to give up
         */
        @Nullable
        Duration afterFailure(Throwable failure);
    }
}
