package io.surewrite.retry;

import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A {@link WriteRetryTemplate} for reactive writes, which are subscribed to once an attempt; the scope and its timestamp belong to
 * one subscription of the whole. Operations are names for logs and metrics, without values.
 */
public interface ReactiveWriteRetry {

    /** Runs a write of at most one answer. It signals like {@link WriteRetryTemplate#execute}. */
    <T> Mono<T> mono(String operation, Mono<T> write);

    /**
     * Runs a write of many results. It is retried only as long as no result was passed on, because a result cannot be
     * taken back; to retry it as a whole collect the results: {@code mono(operation, write.collectList())}.
     */
    <T> Flux<T> flux(String operation, Flux<T> write);

    /**
     * Runs a write for each element of a stream, many at a time. Each is a logical write of its own: it is decided when the
     * element is emitted, which is its timestamp, and is retried alone. So a late element is newer than what others wrote
     * before it came, and what has been written is not written again.
     *
     * @param elements subscribed to once
     * @return signals the results as they come. If one element fails for good, the others end: signals
     *     {@link io.surewrite.write.PartlyDoneException} with the number of elements that are in effect, and the failure itself
     *     if none may be in effect, or if it is neither the cluster's nor a refusal because of a lost lease or a wrong clock
     */
    <E, T> Flux<T> each(String operation, Publisher<? extends E> elements, Function<E, Mono<T>> write);

    /**
     * Like {@link #each}, one element after the other: the stream is asked for the next element when the one before is written.
     */
    <E, T> Flux<T> eachInOrder(String operation, Publisher<? extends E> elements, Function<E, Mono<T>> write);
}
