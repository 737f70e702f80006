package io.surewrite.retry.engine;

import io.surewrite.retry.WriteRetryTemplate;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.core.retry.Retryable;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/** Spring Framework's own retry support, which asks its policy once after every failure and then for the wait. */
final class FrameworkRetryEngine implements RetryEngine {

    @Override
    public <T extends @Nullable Object> T run(
            String operation, WriteRetryTemplate.Attempt<T> attempt, Decision decision) throws Throwable {
        RetryPolicy policy = new RetryPolicy() {

            private @Nullable Duration wait;

            @Override
            public boolean shouldRetry(Throwable failure) {
                wait = decision.afterFailure(failure);
                return wait != null;
            }

            @Override
            public BackOff getBackOff() {
                return () -> () -> wait == null ? BackOffExecution.STOP : wait.toMillis();
            }
        };
        return new RetryTemplate(policy).execute(new Retryable<T>() {
            @Override
            public T execute() throws Throwable {
                return attempt.run();
            }

            @Override
            public String getName() {
                return operation;
            }
        });
    }
}
