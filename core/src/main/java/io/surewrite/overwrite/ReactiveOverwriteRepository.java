package io.surewrite.overwrite;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Adds {@link ReactiveRowOverwrites} to a reactive repository: {@code interface Users extends
 * ReactiveCassandraRepository<User, UUID>, ReactiveOverwriteRepository<User>}. Nothing else is to be declared.
 *
 * @param <T> the entity's type
 */
public interface ReactiveOverwriteRepository<T> {

    /** See {@link RowOverwrites#overwrite(Object)}. */
    <S extends T> Mono<S> overwrite(S entity);

    /** See {@link RowOverwrites#overwrite(Object, OverwriteOptions)}. */
    <S extends T> Mono<S> overwrite(S entity, OverwriteOptions options);

    /** See {@link RowOverwrites#overwriteAll(Iterable)}. */
    <S extends T> Flux<S> overwriteAll(Iterable<S> entities);

    /** See {@link RowOverwrites#overwritePartition(Class, Object, Iterable)}. */
    Flux<T> overwritePartition(Object partitionKey, Iterable<? extends T> rows);
}
