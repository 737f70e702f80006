package io.surewrite.retry;

import io.surewrite.write.WriteHolds;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One asynchronous write until its end. A caller who completes its result, by a cancellation or a timeout, has given up. */
class AsyncWriteRetry<T extends @Nullable Object> {

    private final RetryCall call;
    private final Supplier<? extends CompletionStage<T>> write;
    private final WriteHolds held = WriteHolds.current();
    private final CompletableFuture<T> result = new CompletableFuture<>();

    AsyncWriteRetry(RetryCall call, Supplier<? extends CompletionStage<T>> write) {
        this.call = call;
        this.write = write;
    }

    CompletableFuture<T> begin() {
        var unused = result.whenComplete((answer, failure) -> {
            if (!call.isOver()) {
                call.abandoned();
            }
        });
        attempt();
        return result;
    }

    private void attempt() {
        if (call.isOver()) {
            return;
        }
        CompletionStage<T> stage;
        try {
            stage = ScopedRetryTemplate.begin(call, write::get);
        } catch (Throwable failure) {
            stage = CompletableFuture.failedFuture(failure);
        }
        stage.whenComplete((answer, thrown) -> {
            if (call.isOver()) {
                return;
            }
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
        if (wait == null) {
            giveUp();
        } else {
            later(wait, () -> held.run(this::attempt));
        }
    }

    void later(Duration wait, Runnable next) {
        CompletableFuture.delayedExecutor(wait.toNanos(), TimeUnit.NANOSECONDS).execute(next);
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // who has it kept says what it answers
    private void giveUp() {
        if (!call.mayKeep()) {
            result.completeExceptionally(call.giveUp());
            return;
        }
        // Not on the keeper's thread, which others wait for.
        var unused = call.keep().whenCompleteAsync((receipt, failure) -> {
            if (failure == null) {
                result.complete((T) call.kept(receipt));
            } else {
                result.completeExceptionally(call.notKept(failure));
            }
        });
    }
}
