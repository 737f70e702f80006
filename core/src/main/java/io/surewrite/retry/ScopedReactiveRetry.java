package io.surewrite.retry;

import io.surewrite.write.ClockOffsetException;
import io.surewrite.write.FailureKind;
import io.surewrite.write.Internal;
import io.surewrite.write.PartlyDoneException;
import io.surewrite.write.ReactiveWriteScope;
import io.surewrite.write.UnknownOutcomeException;
import io.surewrite.write.WriteHolds.WriteHold;
import io.surewrite.write.WriteScope;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.retry.Retry;

/** {@link ScopedRetryTemplate} for reactive writes. */
@Internal
public record ScopedReactiveRetry(ScopedRetryTemplate template) implements ReactiveWriteRetry {

    @Override
    @SuppressWarnings("unchecked") // who has it kept says what it answers
    public <T> Mono<T> mono(String operation, Mono<T> write) {
        return Mono.deferContextual(context -> {
            WriteScope around = ReactiveWriteScope.current(context);
            if (around != null && ScopedRetryTemplate.isRetried(around)) {
                // It may be the thread's, and the statements may be sent by another thread.
                return write.contextWrite(ReactiveWriteScope.enter(around));
            }
            RetryCall call = new RetryCall(operation, template, around, ReactiveWriteScope.holds(context));
            return Mono.defer(() -> {
                        call.startAttempt();
                        return write.doOnSuccess(answer -> call.requireSuccess());
                    })
                    .retryWhen(retry(call))
                    .doOnSuccess(answer -> call.succeeded())
                    .onErrorResume(last -> call.mayKeep() ? (Mono<T>) kept(call) : Mono.error(call.giveUp()))
                    .doOnCancel(call::abandoned)
                    .contextWrite(inner -> enter(call, inner));
        });
    }

    private static Mono<?> kept(RetryCall call) {
        // Not on the keeper's thread, which others wait for.
        return Mono.fromFuture(() -> call.keep())
                .publishOn(Schedulers.parallel())
                .onErrorMap(call::notKept)
                .mapNotNull(call::kept);
    }

    @Override
    public <T> Flux<T> flux(String operation, Flux<T> write) {
        return Flux.deferContextual(context -> {
            WriteScope around = ReactiveWriteScope.current(context);
            if (around != null && ScopedRetryTemplate.isRetried(around)) {
                // It may be the thread's, and the statements may be sent by another thread.
                return write.contextWrite(ReactiveWriteScope.enter(around));
            }
            RetryCall call = new RetryCall(operation, template, around, ReactiveWriteScope.holds(context));
            return Flux.defer(() -> {
                        call.startAttempt();
                        // A subscriber that takes one element alone sees no end.
                        return write.doOnNext(answer -> call.requireSuccess()).doOnComplete(call::requireSuccess);
                    })
                    .doOnNext(answer -> call.answered())
                    .retryWhen(retry(call))
                    .doOnComplete(call::succeeded)
                    .onErrorMap(last -> call.giveUp())
                    .doOnCancel(call::abandoned)
                    .contextWrite(inner -> enter(call, inner));
        });
    }

    @Override
    public <E, T> Flux<T> each(String operation, Publisher<? extends E> elements, Function<E, Mono<T>> write) {
        return each(operation, elements, write, (stream, one) -> stream.flatMap(one));
    }

    @Override
    public <E, T> Flux<T> eachInOrder(String operation, Publisher<? extends E> elements, Function<E, Mono<T>> write) {
        return each(operation, elements, write, (stream, one) -> stream.concatMap(one, 0));
    }

    private <E, T> Flux<T> each(
            String operation,
            Publisher<? extends E> elements,
            Function<E, Mono<T>> write,
            BiFunction<Flux<E>, Function<E, Mono<T>>, Flux<T>> mapped) {
        return Flux.deferContextual(context -> {
            StreamedWrites<E, T> all = new StreamedWrites<>(operation, write);
            // Most elements are emitted by other threads than the one that subscribes.
            Function<Context, Context> around = ReactiveWriteScope.handOn(context);
            Flux<T> answers = mapped.apply(
                    Flux.from(elements), element -> all.write(element).contextWrite(around));
            // The call around it counts the statements itself, and repeats what failed.
            return ScopedRetryTemplate.isRetried(ReactiveWriteScope.current(context))
                    ? answers
                    : answers.onErrorMap(all::failure);
        });
    }

    private static Context enter(RetryCall call, Context context) {
        Context scoped = ReactiveWriteScope.enter(call.scope()).apply(context);
        return scoped.putAllMap(call.observed().reactorContext());
    }

    private static Retry retry(RetryCall call) {
        return Retry.from(failures -> failures.concatMap(signal -> {
            Duration wait = call.afterFailure(signal.failure());
            return wait == null || call.isAnswered() ? Mono.error(signal.failure()) : Mono.delay(wait);
        }));
    }

    /** The writes of one stream, and what became of them together. */
    private final class StreamedWrites<E, T> {

        private final String operation;
        private final Function<E, Mono<T>> write;
        private final AtomicInteger begun = new AtomicInteger();
        private final AtomicInteger done = new AtomicInteger();
        private final AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();

        private StreamedWrites(String operation, Function<E, Mono<T>> write) {
            this.operation = operation;
            this.write = write;
        }

        Mono<T> write(E element) {
            begun.incrementAndGet();
            return ScopedReactiveRetry.this
                    .mono(operation, Mono.defer(() -> write.apply(element)))
                    .doOnSuccess(answer -> done.incrementAndGet())
                    .doOnError(failure -> failed.compareAndSet(null, failure));
        }

        /** What the caller gets when the stream fails, or one of its elements: by then the others are cancelled. */
        Throwable failure(Throwable failure) {
            boolean unknown = failure instanceof UnknownOutcomeException;
            if (failure != failed.get() || !(unknown || isOfThisWrite(failure))) {
                return failure; // the caller's own
            }
            int acknowledged = done.get();
            int undecided = begun.get() - acknowledged - (unknown ? 0 : 1);
            if (acknowledged == 0 && undecided == (unknown ? 1 : 0)) {
                return failure;
            }
            String message =
                    "%s: an element failed for good after %d had been written; %d more may be in effect, now or later. Calling it again with the same elements settles it"
                            .formatted(operation, acknowledged, undecided);
            return acknowledged == 0
                    ? new UnknownOutcomeException(message, failure)
                    : new PartlyDoneException(message, failure, acknowledged, undecided);
        }

        /** Whether the cluster failed, or the retry did not begin: no code of the caller has decided that the stream ends. */
        private boolean isOfThisWrite(Throwable failure) {
            return failure instanceof WriteCircuitOpenException
                    || failure instanceof ClockOffsetException
                    || failure instanceof WriteHold.Lost
                    || template.classify(failure) != FailureKind.OTHER;
        }
    }
}
