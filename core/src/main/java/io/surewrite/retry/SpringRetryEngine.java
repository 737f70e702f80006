package io.surewrite.retry;

import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.retry.RetryContext;
import org.springframework.retry.backoff.BackOffInterruptedException;
import org.springframework.retry.backoff.StatelessBackOffPolicy;
import org.springframework.retry.policy.AlwaysRetryPolicy;
import org.springframework.retry.support.RetryTemplate;

/** Spring Retry, used by its API: its annotations would need AspectJ, and its own random back-off is not full jitter. */
final class SpringRetryEngine {

    private SpringRetryEngine() {}

    /**
     * Runs attempts until one succeeds or the decision, asked once after every failure, names no wait before another. A thread that
     * is interrupted while it waits keeps its interrupt flag.
     */
    static <T extends @Nullable Object> T run(
            WriteRetryTemplate.Attempt<T> attempt, Function<Throwable, @Nullable Duration> decision) throws Throwable {
        Policy policy = new Policy(decision);
        RetryTemplate template = new RetryTemplate();
        template.setRetryPolicy(policy);
        template.setBackOffPolicy(policy.new Wait());
        return template.execute(context -> attempt.run());
    }

    /** Of one call. */
    private static final class Policy extends AlwaysRetryPolicy {

        private final Function<Throwable, @Nullable Duration> decision;
        private @Nullable Duration wait = Duration.ZERO;

        private Policy(Function<Throwable, @Nullable Duration> decision) {
            this.decision = decision;
        }

        @Override
        public boolean canRetry(RetryContext context) {
            return wait != null;
        }

        @Override
        public void registerThrowable(RetryContext context, Throwable failure) {
            super.registerThrowable(context, failure);
            wait = decision.apply(failure);
        }

        private final class Wait extends StatelessBackOffPolicy {

            @Override
            protected void doBackOff() {
                Duration decided = wait;
                try {
                    Thread.sleep(decided == null ? 0 : decided.toMillis());
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    throw new BackOffInterruptedException(
                            "Interrupted while waiting for the next attempt", interrupted);
                }
            }
        }
    }
}
