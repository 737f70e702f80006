package io.surewrite.overwrite;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * {@link RowOverwrites} for reactive applications, with the same guarantees. Refusals arrive as errors of the publisher,
 * before anything is sent.
 */
public interface ReactiveRowOverwrites {

    /**
     * Overwrites the row of an entity.
     *
     * @param entity the whole row
     * @param <T> the entity's type
     * @return the entity as written, after its callbacks
     */
    default <T> Mono<T> overwrite(T entity) {
        return overwrite(entity, OverwriteOptions.none());
    }

    /**
     * Overwrites the row of an entity.
     *
     * @param entity the whole row
     * @param options time to live, timestamp and consistency
     * @param <T> the entity's type
     * @return the entity as written, after its callbacks
     */
    <T> Mono<T> overwrite(T entity, OverwriteOptions options);

    /**
     * Overwrites rows one by one, each atomically for itself. All are checked before the first is sent.
     *
     * @param entities whole rows
     * @param <T> the entities' type
     * @return the entities as written, after their callbacks
     */
    default <T> Flux<T> overwriteAll(Iterable<? extends T> entities) {
        return overwriteAll(entities, OverwriteOptions.none());
    }

    /**
     * Overwrites rows one by one, each atomically for itself. All are checked before the first is sent.
     *
     * @param entities whole rows
     * @param options time to live, timestamp and consistency, the same for all
     * @param <T> the entities' type
     * @return the entities as written, after their callbacks
     */
    <T> Flux<T> overwriteAll(Iterable<? extends T> entities, OverwriteOptions options);

    /**
     * Replaces a whole partition by rows, see {@link RowOverwrites#overwritePartition(Class, Object, Iterable)}.
     *
     * @param type the entity's type, which tells the table
     * @param partitionKey the value of the partition key
     * @param rows the rows of that partition, maybe none
     * @param <T> the entity's type
     * @return the entities as written, after their callbacks
     */
    default <T> Flux<T> overwritePartition(Class<T> type, Object partitionKey, Iterable<? extends T> rows) {
        return overwritePartition(type, partitionKey, rows, OverwriteOptions.none());
    }

    /**
     * Replaces a whole partition by rows, see {@link RowOverwrites#overwritePartition(Class, Object, Iterable)}.
     *
     * @param type the entity's type, which tells the table
     * @param partitionKey the value of the partition key
     * @param rows the rows of that partition, maybe none
     * @param options time to live, timestamp and consistency
     * @param <T> the entity's type
     * @return the entities as written, after their callbacks
     */
    <T> Flux<T> overwritePartition(
            Class<T> type, Object partitionKey, Iterable<? extends T> rows, OverwriteOptions options);
}
