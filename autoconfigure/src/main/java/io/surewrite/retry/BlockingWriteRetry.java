package io.surewrite.retry;

import io.surewrite.cql.WriteReceipt;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * One blocking write after its first failure, until its end.
 *
 * @param operation its name
 * @param call what is known of it
 * @param write sends the statements of one attempt
 * @param fallback what to do when it is given up, or null to fail
 */
record BlockingWriteRetry<T extends @Nullable Object>(
        String operation,
        RetryCall call,
        RetryEngine.Attempt<T> write,
        @Nullable Fallback<T> fallback) {

    T after(Throwable first, RetryEngine engine) throws Throwable {
        RetryEngine.Attempt<T> next = new RetryEngine.Attempt<>() {

            private boolean replayed;

            @Override
            public T run() throws Throwable {
                if (!replayed) {
                    replayed = true;
                    throw first;
                }
                T answer = WriteRetryTemplate.attempt(call, write);
                RuntimeException noSuccess = call.whyNoSuccess();
                if (noSuccess != null) {
                    throw noSuccess;
                }
                return answer;
            }
        };
        T answer;
        try {
            answer = engine.run(operation, next, this::afterFailure);
        } catch (Throwable last) {
            return giveUp();
        }
        call.succeeded();
        return answer;
    }

    /** An interrupt that came while a statement was under way says the same as one in the wait. */
    private @Nullable Duration afterFailure(Throwable failure) {
        Duration wait = call.afterFailure(failure);
        return Thread.currentThread().isInterrupted() ? null : wait;
    }

    private T giveUp() throws Throwable {
        // Whoever interrupts does not want it done later either.
        if (fallback == null || !call.mayKeep() || Thread.currentThread().isInterrupted()) {
            throw call.giveUp();
        }
        WriteReceipt receipt;
        try {
            receipt = call.keep().join();
        } catch (CompletionException failure) {
            throw call.notKept(failure);
        }
        return call.kept(fallback, receipt);
    }
}
