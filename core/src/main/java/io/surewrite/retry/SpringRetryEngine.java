package io.surewrite.retry;

import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.retry.RetryContext;
import org.springframework.retry.backoff.BackOffContext;
import org.springframework.retry.backoff.BackOffInterruptedException;
import org.springframework.retry.backoff.BackOffPolicy;
import org.springframework.retry.policy.AlwaysRetryPolicy;
import org.springframework.retry.support.RetryTemplate;

/** Spring Retry, used by its API: its annotations would need AspectJ, and its own random back-off is not full jitter. */
final class SpringRetryEngine {

    private SpringRetryEngine() {}

    /**
     * Goes on after the failure of a first attempt, until one succeeds or the decision, asked once after every failure, names no
     * wait before another. Spring Retry knows calls only whose first attempt it makes: it gets that failure as its own.
     */
    static <T extends @Nullable Object> T goOn(
            Throwable first, WriteRetryTemplate.Attempt<T> next, Function<Throwable, @Nullable Duration> decision)
            throws Throwable {
        Decided policy = new Decided(decision);
        RetryTemplate template = new RetryTemplate();
        template.setRetryPolicy(policy);
        template.setBackOffPolicy(policy);
        return template.execute(context -> {
            if (context.getRetryCount() == 0) {
                throw first;
            }
            return next.run();
        });
    }

    /** Of one call. */
    private static final class Decided extends AlwaysRetryPolicy implements BackOffPolicy {

        private final Function<Throwable, @Nullable Duration> decision;
        private @Nullable Duration wait = Duration.ZERO;

        private Decided(Function<Throwable, @Nullable Duration> decision) {
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

        @Override
        public @Nullable BackOffContext start(RetryContext context) {
            return null;
        }

        @Override
        public void backOff(BackOffContext context) {
            Duration decided = wait;
            try {
                Thread.sleep(decided == null ? 0 : decided.toMillis());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new BackOffInterruptedException("Interrupted while waiting for the next attempt", interrupted);
            }
        }
    }
}
