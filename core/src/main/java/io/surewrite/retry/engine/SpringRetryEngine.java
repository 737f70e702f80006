package io.surewrite.retry.engine;

import io.surewrite.retry.WriteRetryTemplate;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.retry.RetryContext;
import org.springframework.retry.RetryPolicy;
import org.springframework.retry.backoff.BackOffContext;
import org.springframework.retry.backoff.BackOffInterruptedException;
import org.springframework.retry.backoff.BackOffPolicy;
import org.springframework.retry.context.RetryContextSupport;
import org.springframework.retry.support.RetryTemplate;

/** Spring Retry, used by its API: its annotations would need AspectJ, and its own random back-off is not full jitter. */
final class SpringRetryEngine implements RetryEngine {

    @Override
    public <T extends @Nullable Object> T run(
            String operation, WriteRetryTemplate.Attempt<T> attempt, Decision decision) throws Throwable {
        RetryTemplate template = new RetryTemplate();
        template.setRetryPolicy(new Policy(decision));
        template.setBackOffPolicy(new Wait());
        return template.execute(context -> attempt.run());
    }

    private static final class Context extends RetryContextSupport implements BackOffContext {

        private @Nullable Duration wait = Duration.ZERO;

        private Context(@Nullable RetryContext parent) {
            super(parent);
        }
    }

    private record Policy(Decision decision) implements RetryPolicy {

        @Override
        public RetryContext open(@Nullable RetryContext parent) {
            return new Context(parent);
        }

        @Override
        public boolean canRetry(RetryContext context) {
            return ((Context) context).wait != null;
        }

        @Override
        public void registerThrowable(RetryContext context, Throwable failure) {
            Context ours = (Context) context;
            ours.registerThrowable(failure);
            ours.wait = decision.afterFailure(failure);
        }

        @Override
        public void close(RetryContext context) {}
    }

    private static final class Wait implements BackOffPolicy {

        @Override
        public BackOffContext start(RetryContext context) {
            return (Context) context;
        }

        @Override
        public void backOff(BackOffContext context) {
            Duration wait = ((Context) context).wait;
            try {
                Thread.sleep(wait == null ? 0 : wait.toMillis());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new BackOffInterruptedException("Interrupted while waiting for the next attempt", interrupted);
            }
        }
    }
}
