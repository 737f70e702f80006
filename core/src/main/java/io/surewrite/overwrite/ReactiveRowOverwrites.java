package io.surewrite.overwrite;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * {@link RowOverwrites} for reactive applications, with the same guarantees. Refusals arrive as errors of the publisher,
 * before anything is sent.
 */
public interface ReactiveRowOverwrites {

    /** See {@link RowOverwrites#overwrite(Object)}. */
    default <T> Mono<T> overwrite(T entity) {
        return overwrite(entity, OverwriteOptions.none());
    }

    /** See {@link RowOverwrites#overwrite(Object, OverwriteOptions)}. */
    <T> Mono<T> overwrite(T entity, OverwriteOptions options);

    /** See {@link RowOverwrites#overwriteAll(Iterable)}. */
    default <T> Flux<T> overwriteAll(Iterable<? extends T> entities) {
        return overwriteAll(entities, OverwriteOptions.none());
    }

    /** See {@link RowOverwrites#overwriteAll(Iterable, OverwriteOptions)}. */
    <T> Flux<T> overwriteAll(Iterable<? extends T> entities, OverwriteOptions options);

    /** See {@link RowOverwrites#overwritePartition(Class, Object, Iterable)}. */
    default <T> Flux<T> overwritePartition(Class<T> type, Object partitionKey, Iterable<? extends T> rows) {
        return overwritePartition(type, partitionKey, rows, OverwriteOptions.none());
    }

    /** See {@link RowOverwrites#overwritePartition(Class, Object, Iterable, OverwriteOptions)}. */
    <T> Flux<T> overwritePartition(
            Class<T> type, Object partitionKey, Iterable<? extends T> rows, OverwriteOptions options);
}
