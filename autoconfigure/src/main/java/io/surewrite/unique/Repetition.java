package io.surewrite.unique;

import io.surewrite.cql.WriteFailures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request that may be sent again, such as a read, until it is answered: each time by another way than the one that
 * failed last. It gives up, with the last failure, when the failure is not one that passes or time is up.
 *
 * @param <P> a way to send the request
 * @param <T> the answer
 */
final class Repetition<P, T extends @Nullable Object> {

    private final GuardParts parts;
    private final long startedAt;
    private final BiFunction<P, Throwable, P> elsewhere;
    private final Function<P, CompletionStage<T>> request;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private int failures;

    /**
     * @param startedAt when the call began, which may go on for its time-out
     * @param elsewhere finds another way after a failure
     * @param request sends once
     */
    Repetition(
            GuardParts parts,
            long startedAt,
            BiFunction<P, Throwable, P> elsewhere,
            Function<P, CompletionStage<T>> request) {
        this.parts = parts;
        this.startedAt = startedAt;
        this.elsewhere = elsewhere;
        this.request = request;
    }

    CompletionStage<T> begin(P way) {
        send(way);
        return answer;
    }

    private void send(P way) {
        CompletionStage<T> sent;
        try {
            sent = request.apply(way);
        } catch (RuntimeException refused) {
            sent = CompletableFuture.failedFuture(refused);
        }
        sent.whenComplete((value, thrown) -> {
            if (thrown == null) {
                answer.complete(value);
            } else {
                failed(way, Failures.unwrap(thrown));
            }
        });
    }

    private void failed(P way, Throwable failure) {
        long pause = parts.pause(failures++);
        boolean inTime = parts.time().nanos() + pause - startedAt
                < parts.settings().timeout().toNanos();
        if (!inTime || !WriteFailures.ofPlain(failure).isRetryable()) {
            answer.completeExceptionally(failure);
            return;
        }
        try {
            P other = elsewhere.apply(way, failure);
            parts.time().after(pause, () -> send(other));
        } catch (RuntimeException shutDown) {
            failure.addSuppressed(shutDown);
            answer.completeExceptionally(failure);
        }
    }
}
