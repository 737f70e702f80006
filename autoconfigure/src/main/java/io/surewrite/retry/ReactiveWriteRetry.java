package io.surewrite.retry;

import io.surewrite.cql.ReactiveWriteScope;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.retry.Retry;

/** A {@link WriteRetryTemplate} for reactive writes; the scope and its timestamp belong to one subscription. */
public final class ReactiveWriteRetry {

    private final WriteRetryTemplate template;

    /**
     * Creates it.
     *
     * @param template says what is retried, how often and how long
     */
    public ReactiveWriteRetry(WriteRetryTemplate template) {
        this.template = template;
    }

    /**
     * Runs a write of at most one answer.
     *
     * @param operation its name for logs and metrics, without values
     * @param write subscribed to once an attempt
     * @param <T> what it answers
     * @return signals like {@link WriteRetryTemplate#execute}
     */
    public <T> Mono<T> mono(String operation, Mono<T> write) {
        return Mono.deferContextual(context -> {
            if (WriteRetryTemplate.isRetried(ReactiveWriteScope.current(context))) {
                return write;
            }
            RetryCall call = template.start(operation);
            return Mono.defer(() -> {
                        call.startAttempt();
                        return write;
                    })
                    .retryWhen(retry(call, new AtomicBoolean()))
                    .doOnSuccess(answer -> call.succeeded())
                    .doOnCancel(call::abandoned)
                    .contextWrite(inner -> enter(call, inner));
        });
    }

    /**
     * Runs a write of many answers. It is retried only as long as no answer was passed on, because an answer cannot be
     * taken back; to retry it as a whole collect the answers: {@code mono(operation, write.collectList())}.
     *
     * @param operation its name for logs and metrics, without values
     * @param write subscribed to once an attempt
     * @param <T> what it answers
     * @return signals like {@link WriteRetryTemplate#execute}
     */
    public <T> Flux<T> flux(String operation, Flux<T> write) {
        return Flux.deferContextual(context -> {
            if (WriteRetryTemplate.isRetried(ReactiveWriteScope.current(context))) {
                return write;
            }
            RetryCall call = template.start(operation);
            AtomicBoolean answered = new AtomicBoolean();
            return Flux.defer(() -> {
                        call.startAttempt();
                        return write;
                    })
                    .doOnNext(answer -> answered.set(true))
                    .retryWhen(retry(call, answered))
                    .doOnComplete(call::succeeded)
                    .doOnCancel(call::abandoned)
                    .contextWrite(inner -> enter(call, inner));
        });
    }

    private static Context enter(RetryCall call, Context context) {
        Context scoped = ReactiveWriteScope.enter(call.scope()).apply(context);
        return scoped.putAllMap(call.heard().reactorContext());
    }

    private static Retry retry(RetryCall call, AtomicBoolean answered) {
        return new Retry() {
            @Override
            public Publisher<?> generateCompanion(Flux<RetrySignal> failures) {
                return failures.concatMap(signal -> {
                    Duration wait = call.afterFailure(signal.failure());
                    return wait == null || answered.get() ? Mono.error(call.giveUp()) : Mono.delay(wait);
                });
            }
        };
    }
}
