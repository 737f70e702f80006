package io.surewrite.retry;

import io.surewrite.cql.ReactiveWriteScope;
import io.surewrite.cql.WriteScope;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
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
        return mono(operation, write, null);
    }

    /**
     * Like {@link #mono(String, Mono)}, for a write that is kept when it is given up.
     *
     * @param operation its name for logs and metrics, without values
     * @param write sends one statement, or one batch; subscribed to once an attempt
     * @param fallback what to do when attempts or time are used up, or null to fail
     * @param <T> what it answers
     * @return signals like {@link WriteRetryTemplate#call(String, Object, WriteRetryTemplate.Write, Fallback)}
     */
    public <T> Mono<T> mono(String operation, Mono<T> write, @Nullable Fallback<@Nullable T> fallback) {
        return Mono.deferContextual(context -> {
            WriteScope around = ReactiveWriteScope.current(context);
            if (around != null && WriteRetryTemplate.isRetried(around)) {
                // It may be the thread's, and the statements may be sent by another thread.
                return write.contextWrite(ReactiveWriteScope.enter(around));
            }
            RetryCall call = template.start(operation, ReactiveWriteScope.holds(context), fallback);
            Mono<T> attempts = Mono.defer(() -> {
                        call.startAttempt();
                        return write.doOnSuccess(answer -> requireSuccess(call));
                    })
                    .retryWhen(retry(call, fallback))
                    .doOnSuccess(answer -> call.succeeded());
            Mono<T> all =
                    fallback == null ? attempts : attempts.onErrorResume(ToBeKept.class, given -> kept(call, fallback));
            return all.doOnCancel(call::abandoned).contextWrite(inner -> enter(call, inner));
        });
    }

    private static void requireSuccess(RetryCall call) {
        RuntimeException noSuccess = call.whyNoSuccess();
        if (noSuccess != null) {
            throw noSuccess;
        }
    }

    private static <T> Mono<T> kept(RetryCall call, Fallback<@Nullable T> fallback) {
        // Not on the keeper's thread, which others wait for.
        return Mono.fromFuture(() -> call.keep())
                .publishOn(Schedulers.parallel())
                .onErrorMap(call::notKept)
                .flatMap(receipt -> Mono.justOrEmpty(call.kept(fallback, receipt)));
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
            WriteScope around = ReactiveWriteScope.current(context);
            if (around != null && WriteRetryTemplate.isRetried(around)) {
                // It may be the thread's, and the statements may be sent by another thread.
                return write.contextWrite(ReactiveWriteScope.enter(around));
            }
            RetryCall call = template.start(operation, ReactiveWriteScope.holds(context), null);
            return Flux.defer(() -> {
                        call.startAttempt();
                        return write.doOnComplete(() -> requireSuccess(call));
                    })
                    .doOnNext(answer -> call.answered())
                    .retryWhen(retry(call, null))
                    .doOnComplete(call::succeeded)
                    .doOnCancel(call::abandoned)
                    .contextWrite(inner -> enter(call, inner));
        });
    }

    /**
     * Runs a write for each element of a stream, many at a time. Each is a logical write of its own: it is decided when the
     * element is emitted, which is its timestamp, and is retried alone. So a late element is newer than what others wrote
     * before it came, and what has been written is not written again.
     *
     * @param operation its name for logs and metrics, which count elements, without values
     * @param elements subscribed to once
     * @param write subscribed to once an attempt
     * @param <E> the type of the elements
     * @param <T> what a write returns
     * @return signals the answers as they come. If one element fails for good, the others end: signals
     *     {@link io.surewrite.cql.PartlyDoneException} with the number of elements that are in effect, and the failure itself
     *     if none may be in effect, or if it is neither the cluster's nor a refusal because of a lost lease or a wrong clock
     */
    public <E, T> Flux<T> each(String operation, Publisher<? extends E> elements, Function<E, Mono<T>> write) {
        return each(operation, elements, write, (stream, one) -> stream.flatMap(one));
    }

    /**
     * Like {@link #each}, one element after the other.
     *
     * @param operation its name for logs and metrics, which count elements, without values
     * @param elements subscribed to once, and asked for the next element when the one before is written
     * @param write subscribed to once an attempt
     * @param <E> the type of the elements
     * @param <T> what a write returns
     * @return signals as {@link #each} does
     */
    public <E, T> Flux<T> eachInOrder(String operation, Publisher<? extends E> elements, Function<E, Mono<T>> write) {
        return each(operation, elements, write, (stream, one) -> stream.concatMap(one, 0));
    }

    private <E, T> Flux<T> each(
            String operation,
            Publisher<? extends E> elements,
            Function<E, Mono<T>> write,
            BiFunction<Flux<E>, Function<E, Mono<T>>, Flux<T>> mapped) {
        return Flux.deferContextual(context -> {
            StreamedWrites<E, T> all = new StreamedWrites<>(operation, template, write);
            // Most elements are emitted by other threads than the one that subscribes.
            Function<Context, Context> around = ReactiveWriteScope.handOn(context);
            Flux<T> answers = mapped.apply(
                    Flux.from(elements), element -> all.write(element).contextWrite(around));
            // The call around it counts the statements itself, and repeats what failed.
            return WriteRetryTemplate.isRetried(ReactiveWriteScope.current(context))
                    ? answers
                    : answers.onErrorMap(all::failure);
        });
    }

    private static Context enter(RetryCall call, Context context) {
        Context scoped = ReactiveWriteScope.enter(call.scope()).apply(context);
        return scoped.putAllMap(call.heard().reactorContext());
    }

    private static Retry retry(RetryCall call, @Nullable Fallback<?> fallback) {
        return new Retry() {
            @Override
            public Publisher<?> generateCompanion(Flux<RetrySignal> failures) {
                return failures.concatMap(signal -> {
                    Duration wait = call.afterFailure(signal.failure());
                    if (wait != null && !call.isAnswered()) {
                        return Mono.delay(wait);
                    }
                    return Mono.error(fallback != null && call.mayKeep() ? new ToBeKept() : call.giveUp());
                });
            }
        };
    }

    /** The write was given up, and nobody was told so far. */
    private static final class ToBeKept extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private ToBeKept() {
            super(null, null, false, false);
        }
    }
}
