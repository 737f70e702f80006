package io.surewrite.retry;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One asynchronous write until its end.
 *
 * @param call what is known of it
 * @param write sends the statements of one attempt
 * @param fallback what to do when it is given up, or null to fail
 * @param result what the caller waits for
 */
record AsyncWriteRetry<T extends @Nullable Object>(
        RetryCall call,
        Supplier<? extends CompletionStage<T>> write,
        @Nullable Fallback<T> fallback,
        CompletableFuture<T> result) {

    void attempt() {
        CompletionStage<T> stage;
        try {
            stage = WriteRetryTemplate.attempt(call, write::get);
        } catch (Throwable failure) {
            stage = CompletableFuture.failedFuture(failure);
        }
        stage.whenComplete((answer, thrown) -> {
            Throwable failure = thrown == null ? call.whyNoSuccess() : thrown;
            if (failure == null) {
                call.succeeded();
                result.complete(answer);
            } else {
                failed(failure);
            }
        });
    }

    private void failed(Throwable failure) {
        Duration wait = call.afterFailure(failure);
        if (wait == null || result.isDone()) {
            giveUp();
        } else {
            CompletableFuture.delayedExecutor(wait.toNanos(), TimeUnit.NANOSECONDS)
                    .execute(this::attempt);
        }
    }

    private void giveUp() {
        if (fallback == null || !call.mayKeep()) {
            result.completeExceptionally(call.giveUp());
            return;
        }
        // Not on the keeper's thread, which others wait for.
        var unused = call.keep().whenCompleteAsync((receipt, failure) -> {
            if (failure == null) {
                result.complete(call.kept(fallback, receipt));
            } else {
                result.completeExceptionally(call.notKept(failure));
            }
        });
    }
}
