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

    /**
     * Overwrites the row of an entity.
     *
     * @param entity the whole row
     * @param <S> the entity's type
     * @return the entity as written, after its callbacks
     * @see RowOverwrites#overwrite(Object)
     */
    <S extends T> Mono<S> overwrite(S entity);

    /**
     * Overwrites the row of an entity.
     *
     * @param entity the whole row
     * @param options time to live, timestamp and consistency
     * @param <S> the entity's type
     * @return the entity as written, after its callbacks
     * @see RowOverwrites#overwrite(Object, OverwriteOptions)
     */
    <S extends T> Mono<S> overwrite(S entity, OverwriteOptions options);

    /**
     * Overwrites rows one by one, each atomically for itself.
     *
     * @param entities whole rows
     * @param <S> the entities' type
     * @return the entities as written, after their callbacks
     * @see RowOverwrites#overwriteAll(Iterable)
     */
    <S extends T> Flux<S> overwriteAll(Iterable<S> entities);

    /**
     * Replaces a whole partition by rows, atomically.
     *
     * @param partitionKey the value of the partition key, or a {@code MapId} or primary key instance
     * @param rows the rows of that partition, maybe none
     * @return the entities as written, after their callbacks
     * @see RowOverwrites#overwritePartition(Class, Object, Iterable)
     */
    Flux<T> overwritePartition(Object partitionKey, Iterable<? extends T> rows);
}
